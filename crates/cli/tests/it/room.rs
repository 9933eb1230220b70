//! A folder of its own for each test, and the command that is run in it.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};

use tempfile::TempDir;

/// The command, with nothing to read and without what this machine may say to it.
pub fn tabiya(args: impl Words) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    command.args(args.words()).stdin(Stdio::null());
    command
        .env_remove("TABIYA_OPENINGS")
        .env_remove("TABIYA_TOKEN");
    command
}

/// Words of a command line: one by one, or a line of words without spaces.
pub trait Words {
    fn words(&self) -> Vec<&str>;
}

impl Words for &str {
    fn words(&self) -> Vec<&str> {
        self.split_whitespace().collect()
    }
}

impl Words for &String {
    fn words(&self) -> Vec<&str> {
        self.split_whitespace().collect()
    }
}

impl Words for &[&str] {
    fn words(&self) -> Vec<&str> {
        self.to_vec()
    }
}

impl<const N: usize> Words for &[&str; N] {
    fn words(&self) -> Vec<&str> {
        self.to_vec()
    }
}

impl Words for &Vec<&str> {
    fn words(&self) -> Vec<&str> {
        self.to_vec()
    }
}

/// A folder to work in.
pub struct Room(TempDir);

impl Room {
    pub fn new() -> Room {
        Room(tempfile::tempdir().expect("a folder"))
    }

    /// A folder with a file in it.
    pub fn with(name: &str, content: impl AsRef<[u8]>) -> Room {
        let room = Room::new();
        room.write(name, content);
        room
    }

    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    #[track_caller]
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).expect("written");
    }

    #[track_caller]
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a file")
    }

    /// What is in the folder.
    pub fn names(&self) -> Vec<String> {
        names(self.folder())
    }

    pub fn command(&self, args: impl Words) -> Command {
        let mut command = tabiya(args);
        command.current_dir(self.folder());
        command
    }

    #[track_caller]
    pub fn run(&self, args: impl Words) -> Ran {
        let line = args.words().join(" ");
        let output = self.command(args).output().expect("the command starts");
        Ran::new(line, output)
    }

    /// Runs it with something to read.
    #[track_caller]
    pub fn fed(&self, args: impl Words, input: impl AsRef<[u8]>) -> Ran {
        let line = args.words().join(" ");
        let mut command = self.command(args);
        command.stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the command starts");
        let mut stdin = child.stdin.take().expect("piped");
        // A command that fails may not read it.
        let _ = stdin.write_all(input.as_ref());
        drop(stdin);
        Ran::new(line, child.wait_with_output().expect("an end"))
    }

    /// Starts it with an input that does not end.
    pub fn begin(&self, args: impl Words) -> Child {
        let mut command = self.command(args);
        let piped = command.stdin(Stdio::piped()).stderr(Stdio::null());
        piped.spawn().expect("the command starts")
    }

    /// What a command prints that has to go well.
    #[track_caller]
    pub fn fine(&self, args: impl Words) -> String {
        self.run(args).ends(0).out
    }

    /// Why a command fails.
    #[track_caller]
    pub fn error(&self, args: impl Words) -> String {
        self.run(args).ends(2).err
    }
}

/// What is in a folder, in order.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let name = |entry: fs::DirEntry| entry.file_name().into_string().expect("a UTF-8 name");
    let mut names: Vec<String> = entries
        .map(|entry| name(entry.expect("an entry")))
        .collect();
    names.sort();
    names
}

/// A command that has run.
#[derive(Debug)]
pub struct Ran {
    line: String,
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    #[track_caller]
    pub fn new(line: String, output: Output) -> Ran {
        Ran {
            line,
            code: output.status.code().expect("an exit code"),
            out: String::from_utf8(output.stdout).expect("UTF-8"),
            err: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }

    /// All that it said.
    pub fn said(&self) -> String {
        format!("{}{}", self.out, self.err)
    }

    #[track_caller]
    pub fn ends(self, code: i32) -> Ran {
        assert_eq!(self.code, code, "{}: {}", self.line, self.said());
        self
    }

    #[track_caller]
    pub fn says(self, words: &str) -> Ran {
        let said = self.said();
        assert!(said.contains(words), "{}: {said}", self.line);
        self
    }

    #[track_caller]
    pub fn does_not_say(self, words: &str) -> Ran {
        let said = self.said();
        assert!(!said.contains(words), "{}: {said}", self.line);
        self
    }
}
