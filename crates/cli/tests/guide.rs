//! What the guide shows at the terminal, run from the root of the repository, where the samples are.
//!
//! `TRYCMD=overwrite cargo test -p tabiya-cli --test guide` writes down what the command prints now.

#[test]
fn the_guide_shows_what_the_command_prints() {
    std::env::set_current_dir("../..").expect("the repository");
    trycmd::TestCases::new().case("docs/guide.md");
}
