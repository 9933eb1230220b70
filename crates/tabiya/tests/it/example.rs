//! Programs in `examples/`. `cargo test` builds them beside the tests.

use std::{env, path::Path, process::Command};

/// What an example of the package prints whose test calls this.
pub fn run(name: &str, args: &[&Path]) -> String {
    // target/debug/deps/examples-HASH -> target/debug/examples/NAME
    let test = env::current_exe().expect("a test has a file");
    let folder = test.parent().and_then(Path::parent).expect("two folders");
    let program = folder
        .join("examples")
        .join(format!("{name}{}", env::consts::EXE_SUFFIX));
    let output = Command::new(&program)
        .args(args)
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}: build it by `cargo test`", program.display()));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {stderr}");
    String::from_utf8(output.stdout).expect("UTF-8")
}
