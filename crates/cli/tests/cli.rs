//! What the command prints, word for word: `tests/cmd`, and the blocks of the README, of the guide and
//! of the page about searching. Apart from the other tests, for it stands in another folder than they.
//!
//! `TRYCMD=overwrite cargo test -p tabiya-cli --test cli` writes down what it prints now.

use std::{env, path::Path};

use trycmd::TestCases;

/// The pages name the sample games as people do who stand in the repository.
fn cases() -> TestCases {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    env::set_current_dir(repository).expect("the repository");
    TestCases::new()
}

#[test]
fn commands_print_what_is_written_down() {
    cases()
        .case("crates/cli/tests/cmd/*.trycmd")
        .case("README.md")
        .case("docs/search.md");
}

#[test]
fn the_guide_shows_what_the_command_prints() {
    cases().case("docs/guide.md");
}
