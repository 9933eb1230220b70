//! Events to records.

use std::collections::HashMap;

use tabiya_game::{Annotation, Event, LossKind, Losses, Nag, Profile};

use super::{CLASSIC, Facts, Glyphs, Item, Layout, Note, Record, Written, kind};
use crate::encoding::TextCodec;

/// The highest position that three bytes with a sign can hold.
const MAX_POSITION: i32 = 0x7f_ffff;

/// Collects the annotations of a game and makes a record of them.
///
/// Positions are those of stored moves, so they are the caller's business: it may add them in any
/// order. Within a position the order is kept, but for glyphs: a position has one item of them,
/// which holds up to three.
#[derive(Debug)]
pub struct RecordWriter {
    codec: TextCodec,
    layout: &'static Layout,
    entries: Vec<Entry>,
    /// Where the glyphs of a position stand.
    glyphs: HashMap<i32, usize>,
    /// The last profile, in case that its depths follow.
    profile: Option<(usize, Profile)>,
    game: u64,
    losses: Losses,
}

#[derive(Debug)]
struct Entry {
    position: i32,
    what: What,
}

#[derive(Debug)]
enum What {
    Items(Vec<(u8, Vec<u8>)>),
    Glyphs {
        glyphs: Glyphs,
        /// The glyphs as they came.
        order: Vec<Nag>,
        /// Something else came before the last of them.
        apart: bool,
    },
}

/// A record and what the header of its game says about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenRecord {
    /// The record.
    pub bytes: Vec<u8>,
    /// What the header says.
    pub facts: Facts,
}

impl RecordWriter {
    /// A writer whose texts are encoded by a codec.
    #[must_use]
    pub fn new(codec: TextCodec) -> RecordWriter {
        RecordWriter::with_layout(codec, &CLASSIC)
    }

    /// The same for items that are laid out in another way.
    pub(crate) fn with_layout(codec: TextCodec, layout: &'static Layout) -> RecordWriter {
        RecordWriter {
            codec,
            layout,
            entries: Vec::new(),
            glyphs: HashMap::new(),
            profile: None,
            game: 0,
            losses: Losses::default(),
        }
    }

    /// Begins a game, whose number is that of losses.
    pub fn start(&mut self, game: u64) {
        self.entries.clear();
        self.glyphs.clear();
        self.profile = None;
        self.game = game;
    }

    /// Adds a NAG, a comment or an annotation of a position. Says whether the event was one of
    /// these.
    pub fn event(&mut self, position: i32, event: &Event<'_>) -> bool {
        match event {
            Event::Nag(nag) => self.nag(position, *nag),
            Event::Comment(comment) => {
                let (note, spoken) = Note::of_comment(comment, self.layout);
                if !spoken {
                    let what = || "a language that ChessBase does not have".to_owned();
                    self.losses.note(self.game, LossKind::Language, what);
                }
                self.note(position, &note);
            }
            Event::Annotation(Annotation::EvaluationDepths(depths)) => {
                self.depths(position, depths)
            }
            Event::Annotation(annotation) => self.annotation(position, annotation),
            _ => return false,
        }
        true
    }

    /// Adds a tag that is an annotation of the whole game. Says whether it is one.
    pub fn tag(&mut self, name: &str, value: &str) -> bool {
        match Note::of_tag(name, value) {
            Some(note) => {
                self.note(-1, &note);
                true
            }
            None => false,
        }
    }

    /// Adds a note of a position.
    pub fn note(&mut self, position: i32, note: &Note) {
        let written = (self.layout.write)(note, &self.codec);
        self.push(position, written);
    }

    fn push(&mut self, position: i32, written: Written) {
        for (kind, what) in written.losses {
            self.losses.note(self.game, kind, || what);
        }
        if self.reaches(position) && !written.items.is_empty() {
            self.entries.push(Entry {
                position,
                what: What::Items(written.items),
            });
        }
    }

    /// Whether a position can be written; a loss if not.
    fn reaches(&mut self, position: i32) -> bool {
        let reaches = (-1..=MAX_POSITION).contains(&position);
        if !reaches {
            let what = || format!("an annotation of move {position}");
            self.losses.note(self.game, LossKind::Annotation, what);
        }
        reaches
    }

    fn annotation(&mut self, position: i32, annotation: &Annotation) {
        let place = self.entries.len();
        self.note(position, &Note::Annotation(annotation.clone()));
        if let Annotation::EvaluationProfile(profile) = annotation {
            self.profile = Some((place, profile.clone()));
        }
    }

    /// Depths belong to the profile before them.
    fn depths(&mut self, position: i32, depths: &[u8]) {
        if let Some((place, profile)) = self.profile.take()
            && place + 1 == self.entries.len()
            && let Some(entry) = self.entries.last_mut()
            && entry.position == position
        {
            let note = Note::Profile(profile, Some(depths.to_vec()));
            let written = (self.layout.write)(&note, &self.codec);
            if let [(kind::PROFILE, _)] = written.items[..] {
                entry.what = What::Items(written.items);
                return;
            }
        }
        let alone = Annotation::EvaluationDepths(depths.to_vec());
        self.note(position, &Note::Annotation(alone));
    }

    fn nag(&mut self, position: i32, nag: Nag) {
        if !self.reaches(position) {
            return;
        }
        if !(1..=255).contains(&nag.0) {
            let what = || format!("the NAG {nag}");
            self.losses.note(self.game, LossKind::Nag, what);
            return;
        }
        let last = self.entries.len().wrapping_sub(1);
        let place = self.glyphs.get(&position).copied();
        if let Some(place) = place
            && let What::Glyphs {
                glyphs,
                order,
                apart,
            } = &mut self.entries[place].what
            && glyphs.add(nag)
        {
            *apart |= place != last;
            order.push(nag);
            return;
        }
        let mut glyphs = Glyphs::default();
        let added = glyphs.add(nag);
        debug_assert!(added, "there is room for one");
        self.glyphs.insert(position, self.entries.len());
        self.entries.push(Entry {
            position,
            what: What::Glyphs {
                glyphs,
                order: vec![nag],
                apart: false,
            },
        });
    }

    /// The record of the game with a number, if there is anything to write.
    pub fn finish(&mut self, number: u32) -> Option<WrittenRecord> {
        self.finish_placed(number, Some)
    }

    /// The same where positions were names for moves whose numbers are known only now. What has
    /// no position then is lost.
    pub fn finish_placed(
        &mut self,
        number: u32,
        place: impl FnMut(i32) -> Option<i32>,
    ) -> Option<WrittenRecord> {
        let items = self.finish_items(place);
        if items.is_empty() {
            return None;
        }
        let stored = items.iter().map(|(position, kind, data)| Item {
            position: *position,
            kind: *kind,
            data,
        });
        Some(WrittenRecord {
            facts: Facts::of(stored.clone()),
            bytes: Record::write(number, stored),
        })
    }

    /// All items with their positions and types, in order.
    pub(crate) fn finish_items(
        &mut self,
        mut place: impl FnMut(i32) -> Option<i32>,
    ) -> Vec<(i32, u8, Vec<u8>)> {
        let mut entries = std::mem::take(&mut self.entries);
        entries.retain_mut(|entry| match place(entry.position) {
            Some(position) => {
                entry.position = position;
                true
            }
            None => {
                let what = || "a note of a move that cannot be written".to_owned();
                self.losses.note(self.game, LossKind::Annotation, what);
                false
            }
        });
        entries.sort_by_key(|entry| entry.position);
        let mut items: Vec<(i32, u8, Vec<u8>)> = Vec::with_capacity(entries.len());
        for entry in entries {
            let position = entry.position;
            let written = match entry.what {
                What::Items(written) => written,
                What::Glyphs {
                    glyphs,
                    order,
                    apart,
                } => {
                    if apart || !glyphs.nags().eq(order) {
                        let what = || "the order of NAGs".to_owned();
                        self.losses.note(self.game, LossKind::Nag, what);
                    }
                    (self.layout.write)(&Note::Glyphs(glyphs), &self.codec).items
                }
            };
            let written = written.into_iter();
            items.extend(written.map(|(kind, data)| (position, kind, data)));
        }
        items
    }

    /// What could not be written since this was last asked.
    #[must_use]
    pub fn take_losses(&mut self) -> Losses {
        std::mem::take(&mut self.losses)
    }
}
