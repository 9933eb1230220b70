//! A disk in memory on which every step can fail, and the power can be cut.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Component, Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard},
};

use bytes::Bytes;

use crate::{
    disk::{Disk, DiskFile, Guard, NEW_FOLDER, NewFolder},
    manifest,
};

/// What goes wrong, and from which step on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// One step fails, and those after it do not.
    Once,
    /// This step and all behind it fail, as when the process is killed.
    End,
    /// Nothing more can be written, but files can be removed and renamed.
    Full,
}

/// What is there after everything has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Survivor {
    /// All that was done: the process was killed, and the machine ran on.
    Everything,
    /// Only what was synced: the power was cut.
    Synced,
    /// Names, but of the files only what was synced.
    Names,
    /// What was synced, and the name of the manifest: disks do not keep the order of what is not.
    Manifest,
}

impl Survivor {
    pub const ALL: [Survivor; 4] = [
        Survivor::Everything,
        Survivor::Synced,
        Survivor::Names,
        Survivor::Manifest,
    ];
}

#[derive(Clone, Debug)]
pub struct FaultyDisk(Arc<Mutex<State>>);

#[derive(Clone, Debug)]
struct State {
    nodes: Vec<Node>,
    locked: BTreeSet<PathBuf>,
    steps: u64,
    fault: Option<(u64, Fault)>,
}

#[derive(Clone, Debug)]
enum Node {
    File { bytes: Vec<u8>, synced: Vec<u8> },
    Folder { names: Names, synced: Names },
}

type Names = BTreeMap<String, usize>;

const ROOT: usize = 0;

/// Whether a step writes, or only moves what is there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Writing,
    Moving,
}

impl FaultyDisk {
    /// A disk with nothing on it on which nothing fails.
    pub fn new() -> FaultyDisk {
        let (names, synced) = Default::default();
        FaultyDisk(Arc::new(Mutex::new(State {
            nodes: vec![Node::Folder { names, synced }],
            locked: BTreeSet::new(),
            steps: 0,
            fault: None,
        })))
    }

    /// A copy on which something fails behind so many steps.
    pub fn failing(&self, after: u64, fault: Fault) -> FaultyDisk {
        let mut state = self.state().clone();
        state.steps = 0;
        state.fault = Some((after, fault));
        FaultyDisk(Arc::new(Mutex::new(state)))
    }

    /// What is left, on a disk on which nothing fails.
    pub fn survivor(&self, survivor: Survivor) -> FaultyDisk {
        let mut state = self.state().clone();
        state.locked.clear();
        state.fault = None;
        for node in &mut state.nodes {
            match node {
                Node::File { bytes, synced } if survivor != Survivor::Everything => {
                    bytes.clone_from(synced);
                }
                Node::Folder { names, synced } if survivor == Survivor::Synced => {
                    names.clone_from(synced);
                }
                Node::Folder { names, synced } if survivor == Survivor::Manifest => {
                    let manifest = names.remove_entry(manifest::NAME);
                    names.clone_from(synced);
                    names.extend(manifest);
                }
                _ => {}
            }
        }
        FaultyDisk(Arc::new(Mutex::new(state)))
    }

    /// How many steps were taken since it was copied.
    pub fn steps(&self) -> u64 {
        self.state().steps
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }
}

impl State {
    /// Takes a step, if it does not fail.
    fn step(&mut self, step: Step) -> io::Result<()> {
        let now = self.steps;
        self.steps += 1;
        let fails = self.fault.is_some_and(|(after, fault)| match fault {
            Fault::Once => now == after,
            Fault::End => now >= after,
            Fault::Full => now >= after && step == Step::Writing,
        });
        match fails {
            true => Err(io::Error::from(io::ErrorKind::StorageFull)),
            false => Ok(()),
        }
    }

    fn find(&self, path: &Path) -> io::Result<usize> {
        let mut node = ROOT;
        for name in words(path) {
            node = *self
                .names(node)?
                .get(&name)
                .ok_or(io::ErrorKind::NotFound)?;
        }
        Ok(node)
    }

    fn names(&self, node: usize) -> io::Result<&Names> {
        match &self.nodes[node] {
            Node::Folder { names, .. } => Ok(names),
            Node::File { .. } => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    fn names_mut(&mut self, folder: &Path) -> io::Result<&mut Names> {
        let node = self.find(folder)?;
        match &mut self.nodes[node] {
            Node::Folder { names, .. } => Ok(names),
            Node::File { .. } => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    fn add(&mut self, path: &Path, node: Node) -> io::Result<usize> {
        let number = self.nodes.len();
        let (folder, name) = split(path);
        if self.names_mut(&folder)?.insert(name, number).is_some() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.nodes.push(node);
        Ok(number)
    }
}

fn words(path: &Path) -> impl Iterator<Item = String> {
    path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    })
}

fn split(path: &Path) -> (PathBuf, String) {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    (path.parent().unwrap().to_owned(), name)
}

impl Disk for FaultyDisk {
    fn lock(&self, folder: &Path) -> io::Result<Guard> {
        if !self.state().locked.insert(folder.to_owned()) {
            return Err(io::ErrorKind::ResourceBusy.into());
        }
        Ok(Box::new(Lock(self.clone(), folder.to_owned())))
    }

    fn new_folder(&self, parent: &Path) -> io::Result<Box<dyn NewFolder>> {
        let mut state = self.state();
        state.step(Step::Writing)?;
        let path = parent.join(format!("{NEW_FOLDER}{}", state.nodes.len()));
        let (names, synced) = Default::default();
        state.add(&path, Node::Folder { names, synced })?;
        Ok(Box::new(Passing(self.clone(), path)))
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        let mut state = self.state();
        state.step(Step::Writing)?;
        let (bytes, synced) = Default::default();
        let node = state.add(path, Node::File { bytes, synced })?;
        Ok(Box::new(Open(self.clone(), node)))
    }

    fn contents(&self, path: &Path) -> io::Result<Bytes> {
        let state = self.state();
        match &state.nodes[state.find(path)?] {
            Node::File { bytes, .. } => Ok(Bytes::from(bytes.clone())),
            Node::Folder { .. } => Err(io::ErrorKind::IsADirectory.into()),
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.step(Step::Moving)?;
        let (old, name) = split(from);
        let node = state.names_mut(&old)?.remove(&name);
        let node = node.ok_or(io::ErrorKind::NotFound)?;
        let (new, name) = split(to);
        state.names_mut(&new)?.insert(name, node);
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.step(Step::Moving)?;
        let (folder, name) = split(path);
        let removed = state.names_mut(&folder)?.remove(&name);
        removed.map(drop).ok_or(io::ErrorKind::NotFound.into())
    }

    fn names(&self, folder: &Path) -> io::Result<Option<Vec<String>>> {
        let state = self.state();
        match state.find(folder) {
            Ok(node) => Ok(Some(state.names(node)?.keys().cloned().collect())),
            Err(_) => Ok(None),
        }
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.step(Step::Moving)?;
        let node = state.find(folder)?;
        if let Node::Folder { names, synced } = &mut state.nodes[node] {
            synced.clone_from(names);
        }
        Ok(())
    }
}

struct Lock(FaultyDisk, PathBuf);

impl Drop for Lock {
    fn drop(&mut self) {
        self.0.state().locked.remove(&self.1);
    }
}

struct Passing(FaultyDisk, PathBuf);

impl NewFolder for Passing {
    fn path(&self) -> &Path {
        &self.1
    }
}

impl Drop for Passing {
    fn drop(&mut self) {
        let mut state = self.0.state();
        if state.step(Step::Moving).is_ok() {
            let (folder, name) = split(&self.1);
            let _ = state.names_mut(&folder).map(|names| names.remove(&name));
        }
    }
}

struct Open(FaultyDisk, usize);

impl io::Write for Open {
    fn write(&mut self, more: &[u8]) -> io::Result<usize> {
        let mut state = self.0.state();
        let step = state.step(Step::Writing);
        // What fails has been written in part.
        let count = if step.is_ok() {
            more.len()
        } else {
            more.len() / 2
        };
        if let Node::File { bytes, .. } = &mut state.nodes[self.1] {
            bytes.extend_from_slice(&more[..count]);
        }
        step.map(|()| count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl DiskFile for Open {
    fn sync(&mut self) -> io::Result<()> {
        let mut state = self.0.state();
        state.step(Step::Writing)?;
        if let Node::File { bytes, synced } = &mut state.nodes[self.1] {
            synced.clone_from(bytes);
        }
        Ok(())
    }
}
