#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| azulejo_testkit::targets::run("record", data));
