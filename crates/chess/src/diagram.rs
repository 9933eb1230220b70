//! Pictures of a board: as text for the terminal and as SVG for the page.
//!
//! Every picture is drawn from the side of `bottom`: White's first rank is at the bottom for
//! [`Color::White`], Black's for [`Color::Black`].
//!
//! ```
//! use tabiya_chess::{Color, Setup, diagram};
//!
//! let setup: Setup = "7k/5Q2/6K1/8/8/8/8/8 b".parse()?;
//! assert_eq!(
//!     diagram::ascii(&setup.board, Color::White).to_string(),
//!     "8 . . . . . . . k\n\
//!      7 . . . . . Q . .\n\
//!      6 . . . . . . K .\n\
//!      5 . . . . . . . .\n\
//!      4 . . . . . . . .\n\
//!      3 . . . . . . . .\n\
//!      2 . . . . . . . .\n\
//!      1 . . . . . . . .\n  \
//!        a b c d e f g h\n"
//! );
//! # Ok::<(), tabiya_chess::FenError>(())
//! ```

use std::fmt::{self, Display, Formatter};

use crate::{Board, Color, File, Move, Piece, Rank, Role, Square};

/// The board in FEN letters, a dot for an empty square, with coordinates.
pub fn ascii(board: &Board, bottom: Color) -> impl Display + '_ {
    fmt::from_fn(move |f| write_text(f, board, bottom, Piece::letter, '.'))
}

/// The board in the chess symbols of Unicode, with coordinates.
///
/// ```
/// use tabiya_chess::{Board, Color, diagram};
///
/// let seen_by_black = diagram::unicode(&Board::INITIAL, Color::Black).to_string();
/// assert!(seen_by_black.starts_with("1 ♖ ♘ ♗ ♔ ♕ ♗ ♘ ♖\n2 ♙"));
/// assert!(seen_by_black.ends_with("8 ♜ ♞ ♝ ♚ ♛ ♝ ♞ ♜\n  h g f e d c b a\n"));
/// ```
pub fn unicode(board: &Board, bottom: Color) -> impl Display + '_ {
    fmt::from_fn(move |f| write_text(f, board, bottom, Piece::figurine, '·'))
}

fn write_text(
    f: &mut Formatter<'_>,
    board: &Board,
    bottom: Color,
    symbol: fn(Piece) -> char,
    empty: char,
) -> fmt::Result {
    for row in 0..8 {
        write!(f, "{}", rank_of_row(row, bottom).digit())?;
        for column in 0..8 {
            let square = Square::new(file_of_column(column, bottom), rank_of_row(row, bottom));
            write!(f, " {}", board.piece_at(square).map_or(empty, symbol))?;
        }
        writeln!(f)?;
    }
    write!(f, " ")?;
    for column in 0..8 {
        write!(f, " {}", file_of_column(column, bottom).letter())?;
    }
    writeln!(f)
}

/// The rank of a row of the picture, counted from the top.
fn rank_of_row(row: u8, bottom: Color) -> Rank {
    match bottom {
        Color::White => Rank::from_index(7 - row),
        Color::Black => Rank::from_index(row),
    }
}

/// The file of a column of the picture, counted from the left.
fn file_of_column(column: u8, bottom: Color) -> File {
    match bottom {
        Color::White => File::from_index(column),
        Color::Black => File::from_index(7 - column),
    }
}

/// The board as a self-contained SVG image; `Display` writes it.
///
/// Pieces are drawn as paths, so the picture needs no font but for the coordinates. Moves, checks,
/// circles and arrows can be marked.
///
/// ```
/// use tabiya_chess::{Board, Color, Move, Square, diagram::Svg};
///
/// let image = Svg::new(&Board::INITIAL)
///     .bottom(Color::Black)
///     .last_move(Move::new(Square::E7, Square::E5))
///     .check(Square::E1)
///     .to_string();
/// assert!(image.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
/// assert!(image.ends_with("</svg>\n"));
/// ```
#[derive(Clone, Debug)]
pub struct Svg<'a> {
    board: &'a Board,
    bottom: Color,
    last_move: Option<Move>,
    check: Option<Square>,
    circles: Vec<(Square, Rgb)>,
    arrows: Vec<(Square, Square, Rgb)>,
}

/// Red, green and blue.
type Rgb = [u8; 3];

impl<'a> Svg<'a> {
    /// A picture of the board, White at the bottom, nothing marked.
    #[must_use]
    pub fn new(board: &'a Board) -> Svg<'a> {
        Svg {
            board,
            bottom: Color::White,
            last_move: None,
            check: None,
            circles: Vec::new(),
            arrows: Vec::new(),
        }
    }

    /// From whose side the board is seen.
    #[must_use]
    pub fn bottom(self, bottom: Color) -> Svg<'a> {
        Svg { bottom, ..self }
    }

    /// Marks the two squares of a move; of castling, those of king and rook.
    #[must_use]
    pub fn last_move(self, play: Move) -> Svg<'a> {
        Svg {
            last_move: Some(play),
            ..self
        }
    }

    /// Marks the king that is in check.
    #[must_use]
    pub fn check(self, king: Square) -> Svg<'a> {
        Svg {
            check: Some(king),
            ..self
        }
    }

    /// Draws a circle around a square, in a colour of red, green and blue.
    #[must_use]
    pub fn circle(mut self, square: Square, color: [u8; 3]) -> Svg<'a> {
        self.circles.push((square, color));
        self
    }

    /// Draws an arrow between two squares, in a colour of red, green and blue.
    #[must_use]
    pub fn arrow(mut self, from: Square, to: Square, color: [u8; 3]) -> Svg<'a> {
        self.arrows.push((from, to, color));
        self
    }

    /// The left and upper edge of a square.
    fn place(&self, square: Square) -> (u32, u32) {
        let (file, rank) = (square.file() as u32, square.rank() as u32);
        let (column, row) = match self.bottom {
            Color::White => (file, 7 - rank),
            Color::Black => (7 - file, rank),
        };
        (MARGIN + column * SQUARE, MARGIN + row * SQUARE)
    }

    fn write_squares(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let side = 8 * SQUARE;
        writeln!(
            f,
            r##"<rect x="{MARGIN}" y="{MARGIN}" width="{side}" height="{side}" fill="#efe6d3" stroke="#5b4a3a"/>"##
        )?;
        write!(f, r##"<path fill="#b3946f" d=""##)?;
        for square in Square::all().filter(|square| !square.is_light()) {
            let (x, y) = self.place(square);
            write!(f, "M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z")?;
        }
        writeln!(f, r#""/>"#)
    }

    fn write_marks(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(play) = self.last_move {
            for square in [play.from(), play.to()] {
                let (x, y) = self.place(square);
                writeln!(
                    f,
                    r##"<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="#d8c22e" fill-opacity=".55"/>"##
                )?;
            }
        }
        if let Some(king) = self.check {
            let (x, y) = self.place(king);
            let (x, y, radius) = (x + SQUARE / 2, y + SQUARE / 2, SQUARE / 2 - 1);
            writeln!(
                f,
                r##"<circle cx="{x}" cy="{y}" r="{radius}" fill="#d3402f" fill-opacity=".75"/>"##
            )?;
        }
        Ok(())
    }

    fn center(&self, square: Square) -> (f64, f64) {
        let (x, y) = self.place(square);
        let half = f64::from(SQUARE) / 2.0;
        (f64::from(x) + half, f64::from(y) + half)
    }

    /// Circles and arrows, above the pieces.
    fn write_drawings(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (square, [r, g, b]) in &self.circles {
            let (x, y) = self.center(*square);
            let radius = f64::from(SQUARE) / 2.0 - 2.0;
            writeln!(
                f,
                r##"<circle cx="{x}" cy="{y}" r="{radius}" fill="none" stroke="#{r:02x}{g:02x}{b:02x}" stroke-width="3" stroke-opacity=".8"/>"##
            )?;
        }
        for (from, to, color) in &self.arrows {
            self.write_arrow(f, *from, *to, *color)?;
        }
        Ok(())
    }

    /// A shaft and a head in one path, from the middle of one square to that of another.
    fn write_arrow(
        &self,
        f: &mut Formatter<'_>,
        from: Square,
        to: Square,
        color: Rgb,
    ) -> fmt::Result {
        // Half the width of the shaft and of the head, and the length of the head.
        const SHAFT: f64 = 3.0;
        const HEAD: f64 = 9.0;
        const LENGTH: f64 = 15.0;
        if from == to {
            return Ok(());
        }
        let ((x, y), (to_x, to_y)) = (self.center(from), self.center(to));
        let (dx, dy) = (to_x - x, to_y - y);
        let length = dx.hypot(dy);
        // Turned so that it points to the right.
        let (along, neck) = (dy.atan2(dx).to_degrees(), length - LENGTH);
        let wing = HEAD - SHAFT;
        let [r, g, b] = color;
        writeln!(
            f,
            r##"<path transform="translate({x} {y}) rotate({along:.2})" fill="#{r:02x}{g:02x}{b:02x}" fill-opacity=".7" d="M0 -{SHAFT}H{neck:.2}v-{wing}L{length:.2} 0L{neck:.2} {HEAD}v-{wing}H0z"/>"##
        )
    }

    fn write_coordinates(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            r##"<g font-family="sans-serif" font-size="12" text-anchor="middle" fill="#5b4a3a">"##
        )?;
        for place in 0..8 {
            let along = MARGIN + u32::from(place) * SQUARE + SQUARE / 2;
            let file = file_of_column(place, self.bottom).letter();
            let rank = rank_of_row(place, self.bottom).digit();
            let (left, below) = (MARGIN / 2, MARGIN + 8 * SQUARE + 14);
            write!(f, r#"<text x="{along}" y="{below}">{file}</text>"#)?;
            writeln!(f, r#"<text x="{left}" y="{}">{rank}</text>"#, along + 4)?;
        }
        writeln!(f, "</g>")
    }

    fn write_pieces(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "<defs>")?;
        for role in Role::ALL {
            if self.board.pieces(role).any() {
                writeln!(f, r#"<g id="tabiya-{role}">{}</g>"#, shape(role))?;
            }
        }
        writeln!(f, "</defs>")?;
        for (color, paint) in [
            (
                Color::White,
                r##"fill="#fff" stroke="#1d1d1b" color="#1d1d1b""##,
            ),
            (
                Color::Black,
                r##"fill="#2f2d2b" stroke="#1d1d1b" color="#e8e2d6""##,
            ),
        ] {
            writeln!(
                f,
                r#"<g {paint} stroke-width="1.4" stroke-linejoin="round">"#
            )?;
            for square in self.board.side(color) {
                if let Some(role) = self.board.role_at(square) {
                    let (x, y) = self.place(square);
                    writeln!(f, r##"<use href="#tabiya-{role}" x="{x}" y="{y}"/>"##)?;
                }
            }
            writeln!(f, "</g>")?;
        }
        Ok(())
    }
}

impl Display for Svg<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let size = 8 * SQUARE + 2 * MARGIN;
        writeln!(
            f,
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="0 0 {size} {size}" role="img">"#
        )?;
        writeln!(f, "<title>{}</title>", self.board)?;
        self.write_squares(f)?;
        self.write_marks(f)?;
        self.write_coordinates(f)?;
        self.write_pieces(f)?;
        self.write_drawings(f)?;
        writeln!(f, "</svg>")
    }
}

/// The side of a square. The shapes below are drawn for it.
const SQUARE: u32 = 45;

/// The border with the coordinates.
const MARGIN: u32 = 20;

/// The outline of a piece in a box of 45 by 45. Lines inside it are drawn in `currentColor`, so
/// that they show on black pieces too.
const fn shape(role: Role) -> &'static str {
    match role {
        Role::Pawn => {
            "<path d='M22.5 9a5.5 5.5 0 0 1 3.6 9.6c3 1.6 4 3.9 4 3.9h-4.6c.3 5 2 8.5 6.5 11.5v4.5h-19\
             v-4.5c4.5-3 6.2-6.5 6.5-11.5h-4.6s1-2.3 4-3.9a5.5 5.5 0 0 1 3.6-9.6z'/>"
        }
        Role::Knight => {
            "<path d='M13 38.5v-3c0-6 8-8 8.5-14-3 1-4.5 1.5-6 4.5l-3 1.5-3-2 .5-4.5c1.5-3 \
             3.5-5.5 4.5-9l.5-5.5 3.5 3 3.5 .5c10 1.5 13.5 11 12 28.5z'/>\
             <circle cx='16.5' cy='16' r='1' fill='currentColor' stroke='none'/>"
        }
        Role::Bishop => {
            "<path d='M20.3 7.5a2.2 2.2 0 1 1 4.4 0 2.2 2.2 0 1 1-4.4 0z\
             M22.5 9.7c5 4 8 7.3 8 12.3 0 3-1.5 5-3.5 6.5l1 3.5 6 3v3.5h-23v-3.5l6-3 \
             1-3.5c-2-1.5-3.5-3.5-3.5-6.5 0-5 3-8.3 8-12.3z'/>\
             <path d='M22.5 15.5v8M19 19h7M18 28.5h9M17 32h11' fill='none' stroke='currentColor'/>"
        }
        Role::Rook => {
            "<path d='M11.5 8.5h5.5v3.5h3v-3.5h5v3.5h3v-3.5h5.5v8l-4 3.5v11l3.5 3v4.5h-21\
             v-4.5l3.5-3v-11l-4-3.5z'/>\
             <path d='M11.5 16.5h22M15.5 20h14M15.5 31h14M12 34h21' fill='none' stroke='currentColor'/>"
        }
        Role::Queen => {
            "<path d='M8 13l6 10 .5-13 5.5 12 2.5-13.5 2.5 13.5 5.5-12 .5 13 6-10-3.5 16-2.5 3 \
             3 3v3.5h-23v-3.5l3-3-2.5-3z'/>\
             <circle cx='7.5' cy='12' r='1.8'/><circle cx='14.5' cy='9' r='1.8'/>\
             <circle cx='22.5' cy='7.5' r='1.8'/><circle cx='30.5' cy='9' r='1.8'/>\
             <circle cx='37.5' cy='12' r='1.8'/>\
             <path d='M11.5 29h22M14 32h17M11 35h23' fill='none' stroke='currentColor'/>"
        }
        Role::King => {
            "<path d='M22.5 4.5v7M19 7.5h7' fill='none' stroke-width='2.2'/>\
             <path d='M22.5 11.5c2.5 3 2.5 7 0 12.5-2.5-5.5-2.5-9.5 0-12.5z'/>\
             <path d='M22.5 24c0-7.5 4-11 8.5-11 4.5 0 6.5 4 5.5 8-1 4-3.5 6-5 9l2.5 4v4.5h-23v-4.5\
             l2.5-4c-1.5-3-4-5-5-9-1-4 1-8 5.5-8 4.5 0 8.5 3.5 8.5 11z'/>\
             <path d='M13.5 30h18M11 34h23' fill='none' stroke='currentColor'/>"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(fen: &str) -> Board {
        fen.parse::<crate::Setup>().expect("a FEN").board
    }

    #[test]
    fn black_view_turns_the_board_by_half_a_circle() {
        let board = setup("r6k/8/8/8/8/8/8/K1N5");
        let white = ascii(&board, Color::White).to_string();
        let black = ascii(&board, Color::Black).to_string();
        assert!(white.starts_with("8 r . . . . . . k\n"));
        assert!(black.starts_with("1 . . . . . N . K\n"));
        assert!(black.ends_with("8 k . . . . . . r\n  h g f e d c b a\n"));
    }

    #[test]
    fn svg_places_pieces_by_the_view() {
        let board = setup("8/8/8/8/8/8/8/K7");
        let king = r##"<use href="#tabiya-king" x="20" y="335"/>"##;
        assert!(Svg::new(&board).to_string().contains(king));
        let seen_by_black = Svg::new(&board).bottom(Color::Black).to_string();
        assert!(seen_by_black.contains(r##"<use href="#tabiya-king" x="335" y="20"/>"##));
    }

    #[test]
    fn svg_defines_only_the_shapes_it_uses() {
        let image = Svg::new(&setup("8/8/8/8/8/8/8/K7")).to_string();
        assert_eq!(image.matches("<g id=").count(), 1);
        assert_eq!(
            Svg::new(&Board::INITIAL)
                .to_string()
                .matches("<use ")
                .count(),
            32
        );
    }

    #[test]
    fn svg_marks_the_last_move_and_the_check() {
        let plain = Svg::new(&Board::INITIAL);
        assert!(!plain.to_string().contains("opacity"));
        let moved = plain.clone().last_move(Move::new(Square::E2, Square::E4));
        assert_eq!(moved.to_string().matches("fill-opacity").count(), 2);
        assert!(
            plain
                .check(Square::E8)
                .to_string()
                .contains("<circle cx=\"222\" cy=\"42\"")
        );
    }

    #[test]
    fn svg_draws_circles_and_arrows_above_the_pieces() {
        let plain = Svg::new(&Board::INITIAL);
        let image = plain
            .clone()
            .circle(Square::A8, [0x15, 0x78, 0x1b])
            .arrow(Square::E2, Square::E4, [0xff, 0, 0])
            .arrow(Square::A1, Square::A1, [0, 0, 0])
            .to_string();
        assert!(image.contains(
            "<circle cx=\"42.5\" cy=\"42.5\" r=\"20.5\" fill=\"none\" stroke=\"#15781b\""
        ));
        let arrow = image.find("translate(222.5 312.5) rotate(-90.00)").unwrap();
        assert!(arrow > image.rfind("<use ").unwrap());
        // An arrow to where it starts is none.
        assert_eq!(image.matches("rotate").count(), 1);
        assert!(!plain.to_string().contains("rotate"));
    }
}
