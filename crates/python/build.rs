//! Linker arguments of an extension module, which finds the symbols of Python when it is loaded.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
