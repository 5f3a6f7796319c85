//! Tells the linker what Node brings.

fn main() {
    napi_build::setup();
}
