//! Questions, with their texts, answered without haste: square by square and line by line.

use super::game::{Game, Snap};

/// A question to a position.
#[derive(Clone, Debug)]
pub enum Test {
    /// That position, and whether it is loose; what leads to it.
    Exact(Box<Snap>, bool, String),
    /// In a list: least, most, pieces, negated, place. As a board: pieces on squares.
    List(Vec<Count>),
    Board(Vec<(usize, String)>),
    Mirrored(Vec<(usize, String)>),
    /// White's pieces, then Black's.
    Material(String),
    Pieces(char, i32, i32),
    Difference(char, char, i32, i32),
    Balance(i32, i32),
    OppositeBishops,
    PawnSquares(bool, Vec<usize>),
    PawnFiles(bool, Vec<usize>),
    PawnFeature(&'static str, Place),
    Similar(u32, Box<Snap>),
    Turn(bool),
    Check,
    Mate,
    Stalemate,
    Castled(bool, Option<char>),
    Moved(String),
    Captured(String),
    Played(Vec<String>),
    Underpromotion,
    Ply(u32, u32),
    All(Vec<Test>),
    Any(Vec<Test>),
    Not(Box<Test>),
}

/// So many of some pieces somewhere.
#[derive(Clone, Debug)]
pub struct Count {
    pub least: usize,
    pub exactly: bool,
    pub pieces: String,
    pub negated: bool,
    pub place: String,
}

/// Whose pawn, or which.
#[derive(Clone, Debug)]
pub enum Place {
    Either,
    Side(bool),
    Square(usize),
}

/// A question to a game.
#[derive(Clone, Debug)]
pub enum Ask {
    Somewhere(Test),
    Never(Test),
    Held(usize, Test),
    Sequence(Vec<Vec<Test>>),
    Manoeuvre(char, Vec<usize>),
    Sacrifice(usize),
    Ends(Test),
    Result(Vec<&'static str>),
    All(Vec<Ask>),
    Any(Vec<Ask>),
    Not(Box<Ask>),
    Flip(Box<Ask>),
}

pub fn square_name(square: usize) -> String {
    format!("{}{}", file_name(square % 8), square / 8 + 1)
}

fn file_name(file: usize) -> char {
    char::from(b'a' + file as u8)
}

fn side_name(white: bool) -> &'static str {
    if white { "white" } else { "black" }
}

fn joined(parts: impl Iterator<Item = String>, with: &str) -> String {
    parts.collect::<Vec<_>>().join(with)
}

/// A range as people write it.
fn range(least: i32, most: i32) -> String {
    match least == most {
        true => least.to_string(),
        false => format!("{least}..{most}"),
    }
}

// ---------------------------------------------------------------------------------------------
// Texts

impl Test {
    pub fn text(&self) -> String {
        match self {
            Test::Exact(_, _, text) => text.clone(),
            Test::List(counts) => {
                format!("pattern({})", joined(counts.iter().map(Count::text), " "))
            }
            Test::Board(squares) => format!("pattern({})", board_text(squares)),
            Test::Mirrored(squares) => format!("mirrored({})", board_text(squares)),
            Test::Material(pieces) => format!("material({pieces})"),
            Test::Pieces(piece, least, most) => {
                format!("material({piece}={})", range(*least, *most))
            }
            Test::Difference(one, other, least, most) => {
                format!("material({one}-{other}={})", range(*least, *most))
            }
            Test::Balance(least, most) => format!("material(balance={})", range(*least, *most)),
            Test::OppositeBishops => "material(opposite-bishops)".to_string(),
            Test::PawnSquares(white, squares) => {
                let names = joined(squares.iter().map(|square| square_name(*square)), ",");
                let names = if names.is_empty() { "-" } else { &names };
                format!("pawns({}={names})", side_name(*white))
            }
            Test::PawnFiles(white, files) => {
                let names: String = files.iter().map(|file| file_name(*file)).collect();
                let names = if names.is_empty() { "-" } else { &names };
                format!("pawns({}-files={names})", side_name(*white))
            }
            Test::PawnFeature(feature, Place::Either) => format!("pawns({feature})"),
            Test::PawnFeature(feature, Place::Side(white)) => {
                format!("pawns({feature}:{})", side_name(*white))
            }
            Test::PawnFeature(feature, Place::Square(square)) => {
                format!("pawns({feature}:{})", square_name(*square))
            }
            Test::Similar(most, snap) => format!("similar({most} {})", snap.fen),
            Test::Turn(white) => format!("turn({})", side_name(*white)),
            Test::Check => "check".to_string(),
            Test::Mate => "mate".to_string(),
            Test::Stalemate => "stalemate".to_string(),
            Test::Castled(white, wing) => {
                let wing = match wing {
                    None => "",
                    Some('k') => " kingside",
                    Some(_) => " queenside",
                };
                format!("castled({}{wing})", side_name(*white))
            }
            Test::Moved(pieces) => format!("moved({pieces})"),
            Test::Captured(pieces) => format!("captured({pieces})"),
            Test::Played(moves) => format!("played({})", moves.join(" ")),
            Test::Underpromotion => "underpromotion".to_string(),
            Test::Ply(least, most) => format!("ply({})", range(*least as i32, *most as i32)),
            Test::All(tests) => format!("({})", joined(tests.iter().map(Test::text), " and ")),
            Test::Any(tests) => format!("({})", joined(tests.iter().map(Test::text), " or ")),
            Test::Not(test) => format!("not {}", test.text()),
        }
    }
}

impl Count {
    fn text(&self) -> String {
        let number = match (self.exactly, self.least) {
            (false, 1) => String::new(),
            (true, 0) => "0".to_string(),
            (false, least) => least.to_string(),
            (true, least) => format!("={least}"),
        };
        format!(
            "{number}{}{}",
            set_text(&self.pieces, self.negated),
            self.place
        )
    }
}

fn set_text(pieces: &str, negated: bool) -> String {
    match (pieces.len(), negated) {
        (1, false) => pieces.to_string(),
        (_, false) => format!("[{pieces}]"),
        (_, true) => format!("[!{pieces}]"),
    }
}

fn board_text(squares: &[(usize, String)]) -> String {
    let rank = |rank: usize| -> String {
        (0..8)
            .map(|file| {
                let here = squares
                    .iter()
                    .find(|(square, _)| *square == rank * 8 + file);
                here.map_or("1".to_string(), |(_, pieces)| set_text(pieces, false))
            })
            .collect()
    };
    joined((0..8).rev().map(rank), "/")
}

impl Ask {
    pub fn text(&self) -> String {
        match self {
            Ask::Somewhere(test) => format!("somewhere({})", test.text()),
            Ask::Never(test) => format!("never({})", test.text()),
            Ask::Held(plies, test) => format!("held({plies}, {})", test.text()),
            Ask::Sequence(streaks) => {
                let streak = |streak: &Vec<Test>| match &streak[..] {
                    [test] => test.text(),
                    tests => format!("streak({})", joined(tests.iter().map(Test::text), "; ")),
                };
                format!("sequence({})", joined(streaks.iter().map(streak), "; "))
            }
            Ask::Manoeuvre(piece, squares) => {
                let squares = joined(squares.iter().map(|square| square_name(*square)), "-");
                format!("manoeuvre({piece}{squares})")
            }
            Ask::Sacrifice(plies) => format!("sacrifice({plies})"),
            Ask::Ends(test) => format!("ends({})", test.text()),
            Ask::Result(results) => format!("result({})", results.join(" ")),
            Ask::All(asks) => format!("({})", joined(asks.iter().map(Ask::text), " and ")),
            Ask::Any(asks) => format!("({})", joined(asks.iter().map(Ask::text), " or ")),
            Ask::Not(ask) => format!("not {}", ask.text()),
            Ask::Flip(ask) => format!("flip({})", ask.text()),
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Answers

impl Test {
    pub fn holds(&self, snap: &Snap) -> bool {
        let count = |piece: char| snap.board.iter().filter(|here| **here == piece).count() as i32;
        match self {
            Test::Exact(wanted, loose, _) => {
                wanted.board == snap.board
                    && wanted.white == snap.white
                    && (*loose || wanted.rooks == snap.rooks && wanted.ep == snap.ep)
            }
            Test::List(counts) => counts.iter().all(|count| count.holds(snap)),
            Test::Board(squares) => stands(squares, snap, |square| square),
            Test::Mirrored(squares) => {
                stands(squares, snap, |square| square) || stands(squares, snap, |square| square ^ 7)
            }
            Test::Material(pieces) => {
                let black = pieces.rfind('K').unwrap();
                let white: String = pieces[..black].to_string();
                let all = white + &pieces[black..].to_lowercase();
                let mut wanted: Vec<char> = all.chars().collect();
                let mut there: Vec<char> =
                    snap.board.iter().copied().filter(|c| *c != '.').collect();
                wanted.sort_unstable();
                there.sort_unstable();
                wanted == there
            }
            Test::Pieces(piece, least, most) => (*least..=*most).contains(&count(*piece)),
            Test::Difference(one, other, least, most) => {
                (*least..=*most).contains(&(count(*one) - count(*other)))
            }
            Test::Balance(least, most) => (*least..=*most).contains(&balance(snap)),
            Test::OppositeBishops => {
                let bishops = |piece: char| -> Vec<usize> {
                    (0..64)
                        .filter(|square| snap.board[*square] == piece)
                        .collect()
                };
                match (&bishops('B')[..], &bishops('b')[..]) {
                    ([white], [black]) => {
                        (white / 8 + white % 8) % 2 != (black / 8 + black % 8) % 2
                    }
                    _ => false,
                }
            }
            Test::PawnSquares(white, squares) => {
                let mut squares = squares.clone();
                squares.sort_unstable();
                pawns(snap, *white) == squares
            }
            Test::PawnFiles(white, files) => {
                let mut there: Vec<usize> =
                    pawns(snap, *white).iter().map(|pawn| pawn % 8).collect();
                let mut files = files.clone();
                there.sort_unstable();
                files.sort_unstable();
                there == files
            }
            Test::PawnFeature(feature, place) => [true, false].into_iter().any(|white| {
                pawns(snap, white).into_iter().any(|pawn| {
                    let is_there = match place {
                        Place::Either => true,
                        Place::Side(side) => *side == white,
                        Place::Square(square) => *square == pawn,
                    };
                    is_there && has_feature(feature, snap, white, pawn)
                })
            }),
            Test::Similar(most, wanted) => distance(wanted, snap) <= *most,
            Test::Turn(white) => snap.white == *white,
            Test::Check => snap.check,
            Test::Mate => snap.mate,
            Test::Stalemate => snap.stalemate,
            Test::Castled(white, wing) => {
                let castled = snap.castled[usize::from(!*white)];
                castled.is_some() && (wing.is_none() || castled == *wing)
            }
            Test::Moved(pieces) => {
                let moved = snap.last.as_ref().map(|last| last.piece);
                moved.is_some_and(|piece| is_one_of(piece, pieces))
            }
            Test::Captured(pieces) => snap.last.as_ref().is_some_and(|last| match last.captured {
                '.' => pieces.is_empty(),
                captured => is_one_of(captured, pieces),
            }),
            Test::Played(moves) => snap
                .last
                .as_ref()
                .is_some_and(|last| moves.contains(&last.san)),
            Test::Underpromotion => {
                let promoted = snap.last.as_ref().and_then(|last| last.promoted);
                promoted.is_some_and(|piece| piece != 'Q')
            }
            Test::Ply(least, most) => (*least..=*most).contains(&snap.ply),
            Test::All(tests) => tests.iter().all(|test| test.holds(snap)),
            Test::Any(tests) => tests.iter().any(|test| test.holds(snap)),
            Test::Not(test) => !test.holds(snap),
        }
    }
}

impl Count {
    fn holds(&self, snap: &Snap) -> bool {
        let is_there = |square: usize| {
            let name = square_name(square);
            self.place.is_empty() || self.place == name || name.contains(&self.place)
        };
        let count = (0..64)
            .filter(|square| is_there(*square))
            .filter(|square| is_one_of(snap.board[*square], &self.pieces) != self.negated)
            .count();
        match self.exactly {
            true => count == self.least,
            false => count >= self.least,
        }
    }
}

fn stands(squares: &[(usize, String)], snap: &Snap, image: impl Fn(usize) -> usize) -> bool {
    let mut squares = squares.iter();
    squares.all(|(square, pieces)| is_one_of(snap.board[image(*square)], pieces))
}

fn is_one_of(piece: char, pieces: &str) -> bool {
    pieces.chars().any(|letter| match letter {
        'A' => piece.is_ascii_uppercase(),
        'a' => piece.is_ascii_lowercase(),
        '*' => piece != '.',
        '_' => piece == '.',
        letter => piece == letter,
    })
}

fn pawns(snap: &Snap, white: bool) -> Vec<usize> {
    let pawn = if white { 'P' } else { 'p' };
    (0..64)
        .filter(|square| snap.board[*square] == pawn)
        .collect()
}

/// As the documentation says it, with ranks counted from the side of the pawn.
fn has_feature(feature: &str, snap: &Snap, white: bool, pawn: usize) -> bool {
    let seen = |square: usize| -> (i32, i32) {
        let rank = if white { square / 8 } else { 7 - square / 8 };
        ((square % 8) as i32, rank as i32)
    };
    let (file, rank) = seen(pawn);
    let own: Vec<(i32, i32)> = pawns(snap, white).into_iter().map(seen).collect();
    let enemies: Vec<(i32, i32)> = pawns(snap, !white).into_iter().map(seen).collect();
    let neighbours: Vec<i32> = own
        .iter()
        .filter(|(other, _)| (other - file).abs() == 1)
        .map(|(_, rank)| *rank)
        .collect();
    let on_file = own.iter().filter(|(other, _)| *other == file).count();
    match feature {
        "isolated" => neighbours.is_empty(),
        "doubled" => on_file > 1,
        "passed" => !enemies
            .iter()
            .any(|(f, r)| (f - file).abs() <= 1 && *r > rank),
        "backward" => {
            !neighbours.is_empty()
                && neighbours.iter().all(|other| *other > rank)
                && enemies
                    .iter()
                    .any(|(f, r)| (f - file).abs() == 1 && *r == rank + 2)
        }
        "iqp" => {
            file == 3
                && on_file == 1
                && neighbours.is_empty()
                && !enemies.iter().any(|(f, r)| *f == 3 && *r > rank)
        }
        "hanging" => {
            let on = |wanted: i32| -> Vec<i32> {
                own.iter()
                    .filter(|(f, _)| *f == wanted)
                    .map(|(_, r)| *r)
                    .collect()
            };
            (file == 2 || file == 3)
                && on(2) == [3]
                && on(3) == [3]
                && on(1).is_empty()
                && on(4).is_empty()
                && !enemies.iter().any(|(f, r)| (*f == 2 || *f == 3) && *r > 3)
        }
        _ => unreachable!("{feature}"),
    }
}

fn worth(piece: char) -> i32 {
    match piece.to_ascii_lowercase() {
        'p' => 1,
        'n' | 'b' => 3,
        'r' => 5,
        'q' => 9,
        _ => 0,
    }
}

fn balance(snap: &Snap) -> i32 {
    let worth = |piece: &char| match piece.is_ascii_uppercase() {
        true => worth(*piece),
        false => -worth(*piece),
    };
    snap.board.iter().map(worth).sum()
}

pub fn distance(one: &Snap, other: &Snap) -> u32 {
    let mut sum = u32::from(one.white != other.white);
    for (a, b) in one.board.iter().zip(&other.board).filter(|(a, b)| a != b) {
        let price = |piece: &char| match piece {
            '.' => 0,
            'P' | 'p' => 2,
            _ => 1,
        };
        sum += price(a) + price(b);
    }
    for piece in "NBRQnbrq".chars() {
        let count = |snap: &Snap| snap.board.iter().filter(|here| **here == piece).count();
        sum += 3 * count(one).abs_diff(count(other)) as u32;
    }
    sum
}

impl Ask {
    /// Whether a game answers.
    pub fn answers(&self, game: &Game, variations: bool) -> bool {
        let lines = || {
            let others = game.others.iter().filter(|_| variations);
            others.chain([&game.main])
        };
        match self {
            Ask::Somewhere(test) => lines().any(|line| line.iter().any(|snap| test.holds(snap))),
            Ask::Never(test) => !Ask::Somewhere(test.clone()).answers(game, variations),
            Ask::Held(plies, test) => lines().any(|line| {
                let mut windows = line.windows(*plies);
                windows.any(|window| window.iter().all(|snap| test.holds(snap)))
            }),
            Ask::Sequence(streaks) => lines().any(|line| sequence_end(streaks, line).is_some()),
            Ask::Manoeuvre(piece, squares) => {
                lines().any(|line| (1..line.len()).any(|from| goes(*piece, squares, &line[from..])))
            }
            Ask::Sacrifice(plies) => lines().any(|line| sacrifices(*plies, line)),
            Ask::Ends(test) => test.holds(&game.main[game.main.len() - 1]),
            Ask::Result(results) => results.contains(&game.result.token()),
            Ask::All(asks) => asks.iter().all(|ask| ask.answers(game, variations)),
            Ask::Any(asks) => asks.iter().any(|ask| ask.answers(game, variations)),
            Ask::Not(ask) => !ask.answers(game, variations),
            Ask::Flip(ask) => {
                ask.answers(game, variations) || ask.answers(&game.turned(), variations)
            }
        }
    }

    /// The ply at which a main line answers, of questions for which that is defined by one moment.
    pub fn ply(&self, game: &Game) -> Option<u32> {
        let line = &game.main;
        match self {
            Ask::Somewhere(test) => line
                .iter()
                .find(|snap| test.holds(snap))
                .map(|snap| snap.ply),
            Ask::Held(plies, test) => {
                let mut windows = line.windows(*plies);
                let window = windows.find(|window| window.iter().all(|snap| test.holds(snap)));
                window.map(|window| window[plies - 1].ply)
            }
            Ask::Sequence(streaks) => sequence_end(streaks, line).map(|end| line[end - 1].ply),
            _ => None,
        }
    }
}

/// Behind which position the sequence is complete, at the earliest.
fn sequence_end(streaks: &[Vec<Test>], line: &[Snap]) -> Option<usize> {
    let mut next = 0;
    for streak in streaks {
        let fits = |start: &usize| {
            let tests = streak.iter().zip(&line[*start..]);
            *start + streak.len() <= line.len() && tests.into_iter().all(|(t, snap)| t.holds(snap))
        };
        next = (next..line.len()).find(fits)? + streak.len();
    }
    Some(next)
}

/// Whether a piece begins its way with the first move and goes it to its end.
fn goes(piece: char, squares: &[usize], line: &[Snap]) -> bool {
    let mut done = 0;
    for (ply, snap) in line.iter().enumerate() {
        let Some(last) = &snap.last else {
            if ply == 0 {
                return false;
            }
            continue;
        };
        let here = squares[done];
        match last.ways.iter().find(|(from, _)| *from == here) {
            Some((_, to)) if *to == squares[done + 1] => {
                let stood = match last.ways.len() {
                    1 => last.piece == piece,
                    // King and rook: who stands now where he came to.
                    _ => snap.board[*to] == piece,
                };
                if ply == 0 && !stood {
                    return false;
                }
                done += 1;
                if done + 1 == squares.len() {
                    return true;
                }
            }
            Some(_) => return false,
            None if ply == 0 => return false,
            None if last.captured != '.' && last.captured_on == here => return false,
            None => {}
        }
    }
    false
}

fn sacrifices(plies: usize, line: &[Snap]) -> bool {
    let balances: Vec<i32> = line.iter().map(balance).collect();
    // When what was given came back.
    let mut returns: Vec<usize> = Vec::new();
    for at in 2..line.len() {
        let Some(last) = &line[at].last else {
            continue;
        };
        if last.captured == '.' || returns.contains(&at) {
            continue;
        }
        // Who was captured from gave it.
        let sign = if last.captured.is_ascii_uppercase() {
            1
        } else {
            -1
        };
        let level = sign * balances[at - 2];
        if sign * balances[at] >= level {
            continue;
        }
        let back = (at + 1..line.len()).find(|later| sign * balances[*later] >= level);
        match back {
            Some(back) if back <= at + plies => returns.push(back),
            _ => return true,
        }
    }
    false
}
