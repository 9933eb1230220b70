//! Arrows and circles on a board, as the game has them.

use tabiya_chess::{Square, diagram::Svg};
use tabiya_game::{Annotation, GameTree, Item, MarkColor, command};

/// What is drawn on the board after a number of plies.
#[derive(Default)]
pub struct Marks {
    arrows: Vec<(Square, Square, MarkColor)>,
    squares: Vec<(Square, MarkColor)>,
}

impl Marks {
    /// The marks behind a ply of the main line; 0 is the start.
    pub fn after_ply(tree: &GameTree, ply: usize) -> Marks {
        let mut marks = Marks::default();
        let (mut depth, mut played) = (0usize, 0);
        for item in &tree.items {
            match item {
                Item::VariationStart => depth += 1,
                Item::VariationEnd => depth = depth.saturating_sub(1),
                Item::Move(_) | Item::Null if depth == 0 => played += 1,
                _ if depth > 0 || played != ply => {}
                Item::Annotation(annotation) => marks.add(annotation),
                Item::Comment { text, .. } => {
                    // Who moves matters for evaluations only.
                    let commands = command::annotations(text, tree.start.turn());
                    commands.for_each(|annotation| marks.add(&annotation));
                }
                _ => {}
            }
        }
        marks
    }

    fn add(&mut self, annotation: &Annotation) {
        match annotation {
            Annotation::Arrows(arrows) => {
                let arrows = arrows.iter();
                self.arrows
                    .extend(arrows.map(|arrow| (arrow.from, arrow.to, arrow.color)));
            }
            Annotation::Squares(squares) => {
                let squares = squares.iter();
                self.squares
                    .extend(squares.map(|mark| (mark.square, mark.color)));
            }
            _ => {}
        }
    }

    /// Draws them.
    pub fn draw<'b>(&self, mut image: Svg<'b>) -> Svg<'b> {
        for (square, color) in &self.squares {
            image = image.circle(*square, paint(*color));
        }
        for (from, to, color) in &self.arrows {
            image = image.arrow(*from, *to, paint(*color));
        }
        image
    }
}

/// Red, green and blue of a colour's letter; grey for letters that nobody knows.
fn paint(color: MarkColor) -> [u8; 3] {
    match color.letter() {
        'G' => [0x15, 0x78, 0x1b],
        'R' => [0xb0, 0x20, 0x20],
        'Y' => [0xe0, 0xa8, 0x00],
        'B' => [0x00, 0x4a, 0xa0],
        'C' => [0x00, 0x9a, 0xa5],
        'M' => [0xa0, 0x20, 0x90],
        'O' => [0xd8, 0x68, 0x10],
        _ => [0x60, 0x60, 0x60],
    }
}
