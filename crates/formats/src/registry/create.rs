//! What writes a format.

use tabiya_game::{Error, ErrorKind};

use super::{FormatProfile, PASSWORD, Registry, WriteOptions, place};
use crate::{
    GameWriter,
    target::{Destination, Target},
};

impl Registry {
    /// A writer of a profile. Each thread has one of its own.
    ///
    /// # Errors
    /// If the profile can only be read.
    pub fn writer(
        &self,
        profile: FormatProfile,
        options: &WriteOptions,
    ) -> Result<Box<dyn GameWriter>, Error> {
        match profile.write() {
            Some(creator) => Ok(creator.writer(options)),
            None => Err(self.read_only(profile)),
        }
    }

    /// What puts together the records that [`Registry::writer`]s of a profile wrote.
    ///
    /// # Errors
    /// If the profile cannot be written, not there or not under a password, or the system says no.
    pub fn target(
        &self,
        profile: FormatProfile,
        destination: Destination<'_>,
        options: &WriteOptions,
    ) -> Result<Box<dyn Target>, Error> {
        let Some(creator) = profile.write() else {
            return Err(self.read_only(profile));
        };
        let file = destination.place();
        let file = file.map(|(path, purpose)| (place::file(self, path, profile, None), purpose));
        let destination = match &file {
            None => Destination::Stdout,
            Some((path, place::Purpose::New)) => Destination::New(path),
            Some((path, place::Purpose::Append)) => Destination::Append(path),
        };
        if let Some((path, purpose)) = destination.place() {
            place::check(self, path, profile, purpose)?;
        }
        if options.settings.text(&PASSWORD).is_some() && !profile.seals() {
            // Nobody may believe that what anybody can read is safe.
            let message = format!("{profile} has no passwords: write a .cbz, which has one");
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        match destination {
            Destination::Stdout if creator.needs_file() => {
                let message = format!("{profile} is a database: it needs the name of a file");
                Err(Error::new(ErrorKind::NeedsFile, message))
            }
            Destination::Append(path) if !creator.appends() && path.exists() => {
                let message = format!(
                    "nothing can be appended to {profile}: convert old and new games into a new file"
                );
                Err(Error::new(ErrorKind::Unsupported, message))
            }
            destination => Ok(creator.target(destination, options)?),
        }
    }

    fn read_only(&self, profile: FormatProfile) -> Error {
        let writable = self.able(|profile| profile.writes());
        let message = format!("{profile} can be read but not written: expected {writable}");
        Error::new(ErrorKind::Unsupported, message)
    }
}
