class AsyncStream(Generic[T]):
    """What comes one by one, when it is asked for: an asynchronous iterator. Nothing is read ahead."""

    __slots__ = ("_native",)

    def __init__(self, native: _native.Stream[T]) -> None:
        self._native = native

    def __aiter__(self) -> AsyncIterator[T]:
        return self

    async def __anext__(self) -> T:
        item = await self._native.next().result()
        if item is None:
            raise StopAsyncIteration
        return item

    async def close(self) -> None:
        """Ends it, also under somebody who waits for the next one. Again is fine."""
        await self._native.close().result()

    async def aclose(self) -> None:
        """The same, by the name that `contextlib.aclosing` knows."""
        await self.close()

    async def __aenter__(self) -> AsyncStream[T]:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()
