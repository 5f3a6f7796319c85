//! How strongly a sandbox is kept apart from the machine.

use crate::words::words;

words! {
    /// How strongly a sandbox is kept apart, from weakest to strongest: none, process, container, gvisor, vm. The order
    /// is that of the values.
    #[derive(Default)]
    pub enum Isolation {
        /// Not at all: it runs as a user of this machine.
        #[default]
        None = "none",
        /// Restrictions on ordinary processes, such as Landlock or Seatbelt.
        Process = "process",
        /// Namespaces and a filter of system calls, on the machine's own kernel.
        Container = "container",
        /// A kernel in user space between it and the machine's own.
        Gvisor = "gvisor",
        /// A virtual machine with its own kernel.
        Vm = "vm",
    }
}

words! {
    /// What kind of sandbox a backend makes. When asked for, it is a required result.
    pub enum SandboxKind {
        /// A container.
        Container = "container",
        /// A virtual machine.
        VirtualMachine = "virtual_machine",
        /// Something else of a newer peer; refused in a spec.
        Unknown = "unknown",
    }
    unknown Unknown
}
