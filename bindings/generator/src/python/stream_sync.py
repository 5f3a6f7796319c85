class Stream(Generic[T]):
    """What comes one by one, when it is asked for: an iterator. Nothing is read ahead."""

    __slots__ = ("_native",)

    def __init__(self, native: _native.Stream[T]) -> None:
        self._native = native

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        item = self._native.next().wait()
        if item is None:
            raise StopIteration
        return item

    def close(self) -> None:
        """Ends it, also under somebody who waits for the next one. Again is fine."""
        self._native.close().wait()

    def __enter__(self) -> Stream[T]:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
