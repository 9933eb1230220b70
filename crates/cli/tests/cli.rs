//! What the command prints, word for word: `tests/cmd` and the blocks of the README.
//!
//! `TRYCMD=overwrite cargo test -p tabiya-cli --test cli` writes down what it prints now.

#[test]
fn commands_print_what_is_written_down() {
    trycmd::TestCases::new()
        .case("tests/cmd/*.trycmd")
        .case("../../README.md");
}
