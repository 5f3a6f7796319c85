//! What is made of the list: the tree, its branches, and one name for each leaf.

macro_rules! capabilities {
    ($(
        $(#[$group_meta:meta])*
        $group:ident: $type:ident {
            $($(#[$meta:meta])* $member:ident: $variant:ident $(= $plugin:literal)?;)+
        }
    )+) => {
        $(
            $(#[$group_meta])*
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
            #[serde(default)]
            pub struct $type {
                $($(#[$meta])* pub $member: bool,)+
            }
        )+

        /// Everything a provider or a sandbox can do.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct Capabilities {
            /// The strongest isolation that can be had; for a sandbox, the one it has.
            pub isolation: Isolation,
            $($(#[$group_meta])* pub $group: $type,)+
        }

        /// One thing that a provider or a sandbox may be able to do.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Capability {
            $($($(#[$meta])* $variant,)+)+
        }

        impl Capability {
            /// Every capability, in the order of the tree.
            pub const ALL: &'static [Capability] = &[$($(Capability::$variant,)+)+];

            /// The dotted name.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $($(Capability::$variant => concat!(stringify!($group), ".", stringify!($member)),)+)+
                }
            }

            /// The name in plugin protocol v2, where that has one.
            pub const fn plugin_name(self) -> Option<&'static str> {
                match self {
                    $($(Capability::$variant => capabilities!(@plugin $($plugin)?),)+)+
                }
            }
        }

        impl Capabilities {
            /// Whether the capability is there.
            pub const fn has(&self, capability: Capability) -> bool {
                match capability {
                    $($(Capability::$variant => self.$group.$member,)+)+
                }
            }

            /// Claims or disclaims a capability.
            pub const fn set(&mut self, capability: Capability, supported: bool) {
                match capability {
                    $($(Capability::$variant => self.$group.$member = supported,)+)+
                }
            }
        }
    };
    (@plugin $plugin:literal) => { Some($plugin) };
    (@plugin) => { None };
}

pub(super) use capabilities;
