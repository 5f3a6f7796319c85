//! Enums whose values are fixed lower-case words, on the wire, in the store and in every language.
//!
//! `words!` writes the enum, its `as_str`, `ALL`, `Display`, `FromStr` and serde from one list. With `unknown Variant`
//! at the end, decoding is tolerant: a word of a newer peer reads as that variant. Without it, it is an error.

macro_rules! words {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $word:literal),+ $(,)? }
        $(unknown $fallback:ident)?
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        $vis enum $name { $($(#[$variant_meta])* $variant),+ }

        impl $name {
            /// Every value, in declaration order.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The stable word.
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::words::UnknownWord;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                match word {
                    $($word => Ok($name::$variant),)+
                    _ => Err($crate::words::UnknownWord { expected: &[$($word),+] }),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)?;
                match word.parse() {
                    Ok(value) => Ok(value),
                    $(Err(_) => Ok($name::$fallback),)?
                    #[allow(unreachable_patterns)]
                    Err(error) => Err(serde::de::Error::custom(error)),
                }
            }
        }
    };
}

pub(crate) use words;

/// A word that is none of an enum's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownWord {
    /// The words that would have been understood.
    pub expected: &'static [&'static str],
}

impl std::fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "unknown value, expected one of {}", self.expected.join(", "))
    }
}

impl std::error::Error for UnknownWord {}
