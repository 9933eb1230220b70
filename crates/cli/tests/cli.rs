//! What the command prints, word for word: `tests/cmd`, and the blocks of the README and of the page
//! about searching.
//!
//! `TRYCMD=overwrite cargo test -p tabiya-cli --test cli` writes down what it prints now.

use std::{env, path::Path};

#[test]
fn commands_print_what_is_written_down() {
    // The pages name the sample games as people do who stand in the repository.
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    env::set_current_dir(repository).expect("the repository");
    trycmd::TestCases::new()
        .case("crates/cli/tests/cmd/*.trycmd")
        .case("README.md")
        .case("docs/search.md");
}
