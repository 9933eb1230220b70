//! What goes where.

use std::{fs, io, path::Path};

use super::{super::AssemblyError, family::Family};
use tabiya_formats::io::sync_folder;

/// What a list begins with.
const HEAD: &str = "tabiya swap 1";

/// How the names of folders begin that new files wait in.
const STAGING: &str = ".tabiya-";

/// A change that has been decided.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct List {
    /// The folder of the new files.
    pub folder: String,
    /// Names of files there, and which names they get.
    pub puts: Vec<(String, String)>,
    /// Files that go.
    pub removes: Vec<String>,
}

impl List {
    pub fn to_text(&self) -> String {
        let puts = self.puts.iter();
        let puts: String = puts
            .map(|(from, to)| format!("put {from}\t{to}\n"))
            .collect();
        let removes = self.removes.iter();
        let removes: String = removes.map(|name| format!("remove {name}\n")).collect();
        format!("{HEAD}\nfolder {}\n{puts}{removes}end\n", self.folder)
    }

    /// Reads a list. It comes from a folder that anybody may have made: names lead nowhere else.
    pub fn parse(text: &[u8], family: &Family) -> Result<List, AssemblyError> {
        let bad = |line| AssemblyError::BadList {
            path: family.list(),
            line,
        };
        let text = str::from_utf8(text).map_err(|_| bad(1))?;
        let mut lines = (1..).zip(text.lines());
        let mut next = || lines.next().unwrap_or((text.lines().count() + 1, ""));
        let (line, head) = next();
        if head != HEAD {
            return Err(bad(line));
        }
        let (line, folder) = next();
        let folder = folder.strip_prefix("folder ").ok_or_else(|| bad(line))?;
        let is_name = |byte: u8| byte.is_ascii_alphanumeric();
        match folder.strip_prefix(STAGING) {
            Some(rest) if rest.bytes().all(is_name) => {}
            _ => return Err(bad(line)),
        }
        let (mut puts, mut removes) = (Vec::new(), Vec::new());
        loop {
            let (line, text) = next();
            let put = text.strip_prefix("put ");
            let put = put.and_then(|names| names.split_once('\t'));
            match (put, text.strip_prefix("remove ")) {
                (Some((from, to)), _) if family.has(from) && family.has(to) => {
                    puts.push((from.to_owned(), to.to_owned()));
                }
                (None, Some(name)) if family.has(name) => removes.push(name.to_owned()),
                (None, None) if text == "end" => break,
                _ => return Err(bad(line)),
            }
        }
        Ok(List {
            folder: folder.to_owned(),
            puts,
            removes,
        })
    }

    /// Does what the list says, or what is left of it, and removes it.
    pub fn apply(&self, family: &Family) -> io::Result<()> {
        let folder = family.folder();
        let staging = folder.join(&self.folder);
        // Only a folder of our own is looked into, not what a link leads to.
        if fs::symlink_metadata(&staging).is_ok_and(|found| found.is_dir()) {
            for (from, to) in &self.puts {
                done_or_gone(fs::rename(staging.join(from), folder.join(to)))?;
            }
        }
        for name in &self.removes {
            done_or_gone(fs::remove_file(folder.join(name)))?;
        }
        sync_folder(folder);
        done_or_gone(fs::remove_file(family.list()))?;
        remove_staging(&staging);
        Ok(())
    }
}

/// What is not there any more was done before.
fn done_or_gone(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// An empty folder is in nobody's way: it is no reason to say that the change failed.
fn remove_staging(folder: &Path) {
    let _ = fs::remove_dir_all(folder);
}
