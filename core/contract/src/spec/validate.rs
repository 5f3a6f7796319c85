//! What is wrong with a spec, found before anything starts.
