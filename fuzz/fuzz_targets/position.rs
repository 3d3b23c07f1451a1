#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| azulejo_laws::targets::run("position", data));
