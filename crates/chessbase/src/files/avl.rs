//! The search tree that a file of names holds, and a check of it.
//!
//! Every record carries the numbers of its children and how much deeper the right one is than the
//! left one. The program keeps the tree balanced while it adds names, so the tree of a file to
//! which names were only ever added follows from their order: [`Tree::insert`] them by number and
//! the nodes come out as the program has them.
//!
//! ```
//! use tabiya_chessbase::files::avl::{Tree, check};
//!
//! let names = ["Tal", "Botvinnik", "Smyslov", "Petrosian"];
//! let mut tree = Tree::new();
//! for name in 0..4 {
//!     tree.insert(|other| names[name].cmp(names[other as usize]));
//! }
//! assert_eq!(tree.root(), 2);
//! let order = check(tree.nodes(), tree.root(), |a, b| {
//!     names[a as usize].cmp(names[b as usize])
//! });
//! assert_eq!(order.unwrap(), [1, 3, 2, 0]);
//! ```

use std::cmp::Ordering;

/// The number that stands for "no child".
pub const NONE: i32 = -1;

/// The number that stands where a deleted record had its left child.
pub const DELETED: i32 = -999;

/// A node of the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    /// The child that comes before it, [`NONE`] or [`DELETED`].
    pub left: i32,
    /// The child that comes after it or [`NONE`]; of a deleted node the next deleted one.
    pub right: i32,
    /// The height of the right child without that of the left one.
    pub balance: i8,
}

impl Node {
    /// A node without children.
    pub const LEAF: Node = Node {
        left: NONE,
        right: NONE,
        balance: 0,
    };

    /// Whether the record was deleted.
    #[must_use]
    pub const fn is_deleted(&self) -> bool {
        self.left == DELETED
    }
}

/// Which child.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Left,
    Right,
}

impl Side {
    const fn other(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }

    /// What a node's balance becomes if this child grows.
    const fn weight(self) -> i8 {
        match self {
            Side::Left => -1,
            Side::Right => 1,
        }
    }
}

/// A tree that grows by one node at a time.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    root: i32,
}

impl Tree {
    /// A tree without nodes. Its root is 0, as in the files of the program.
    #[must_use]
    pub fn new() -> Tree {
        Tree::default()
    }

    /// All nodes by their numbers.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The number of the root.
    #[must_use]
    pub fn root(&self) -> i32 {
        self.root
    }

    /// Adds a node with the next number. `compare` tells where the new node stands seen from
    /// another one; it goes behind its equals.
    pub fn insert(&mut self, compare: impl Fn(i32) -> Ordering) {
        let new = self.nodes.len() as i32;
        let mut path = Vec::with_capacity(48);
        let mut at = if new == 0 { NONE } else { self.root };
        while at != NONE {
            let side = match compare(at) {
                Ordering::Less => Side::Left,
                Ordering::Equal | Ordering::Greater => Side::Right,
            };
            path.push((at, side));
            at = self.child(at, side);
        }
        self.nodes.push(Node::LEAF);
        match path.last() {
            Some(&(parent, side)) => self.set_child(parent, side, new),
            None => self.root = new,
        }
        self.grow(&path);
    }

    /// Tells the nodes on the way up that they grew, until one of them did not.
    fn grow(&mut self, path: &[(i32, Side)]) {
        for (depth, &(node, side)) in path.iter().enumerate().rev() {
            let balance = self.nodes[node as usize].balance + side.weight();
            if balance.abs() == 2 {
                let top = self.rebalance(node, side);
                match depth.checked_sub(1).map(|above| path[above]) {
                    Some((parent, side)) => self.set_child(parent, side, top),
                    None => self.root = top,
                }
                return;
            }
            self.nodes[node as usize].balance = balance;
            if balance == 0 {
                return;
            }
        }
    }

    /// Turns a node of which one side has become too heavy; returns the node that stands in its
    /// place.
    fn rebalance(&mut self, node: i32, heavy: Side) -> i32 {
        let child = self.child(node, heavy);
        if self.nodes[child as usize].balance == heavy.weight() {
            self.rotate(node, heavy);
            self.nodes[node as usize].balance = 0;
            self.nodes[child as usize].balance = 0;
            return child;
        }
        let grandchild = self.child(child, heavy.other());
        let lean = self.nodes[grandchild as usize].balance;
        self.rotate(child, heavy.other());
        self.set_child(node, heavy, grandchild);
        self.rotate(node, heavy);
        let balance_if = |side: Side| match lean == side.weight() {
            true => -lean,
            false => 0,
        };
        self.nodes[node as usize].balance = balance_if(heavy);
        self.nodes[child as usize].balance = balance_if(heavy.other());
        self.nodes[grandchild as usize].balance = 0;
        grandchild
    }

    /// Lifts a child above its parent.
    fn rotate(&mut self, node: i32, side: Side) {
        let child = self.child(node, side);
        let between = self.child(child, side.other());
        self.set_child(node, side, between);
        self.set_child(child, side.other(), node);
    }

    fn child(&self, node: i32, side: Side) -> i32 {
        let node = &self.nodes[node as usize];
        match side {
            Side::Left => node.left,
            Side::Right => node.right,
        }
    }

    fn set_child(&mut self, node: i32, side: Side, child: i32) {
        let node = &mut self.nodes[node as usize];
        match side {
            Side::Left => node.left = child,
            Side::Right => node.right = child,
        }
    }
}

/// What is wrong with a tree.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// A child that is not there, or was deleted.
    #[error("record {node} has the child {child}, which is not there")]
    NoSuchNode {
        /// The node, -1 for the root.
        node: i32,
        /// Its child.
        child: i32,
    },
    /// A record that is reached on two ways.
    #[error("record {0} is reached twice")]
    ReachedTwice(i32),
    /// Records that are not reached.
    #[error("{0} records are not reached")]
    NotReached(usize),
    /// Records in the wrong order.
    #[error("record {0} comes before record {1} and should not")]
    WrongOrder(i32, i32),
    /// A balance that is not the difference of heights, or a tree that is not balanced.
    #[error("record {node} says {stored} about its balance and has {real}")]
    WrongBalance {
        /// The record.
        node: i32,
        /// What it says.
        stored: i8,
        /// What it should say.
        real: i32,
    },
}

/// Checks a tree without trusting it: that every live record is reached once, that the records are
/// in order, and that the balances are right. Returns the records in order.
///
/// # Errors
/// The first thing that is wrong.
pub fn check(
    nodes: &[Node],
    root: i32,
    compare: impl Fn(i32, i32) -> Ordering,
) -> Result<Vec<i32>, TreeError> {
    let live = nodes.iter().filter(|node| !node.is_deleted()).count();
    if live == 0 {
        return Ok(Vec::new());
    }
    let order = walk(nodes, root)?;
    if order.len() < live {
        return Err(TreeError::NotReached(live - order.len()));
    }
    for pair in order.windows(2) {
        if compare(pair[0], pair[1]) == Ordering::Greater {
            return Err(TreeError::WrongOrder(pair[0], pair[1]));
        }
    }
    check_balances(nodes, root)?;
    Ok(order)
}

/// The records from first to last.
fn walk(nodes: &[Node], root: i32) -> Result<Vec<i32>, TreeError> {
    let mut reached = vec![false; nodes.len()];
    let mut order = Vec::with_capacity(nodes.len());
    let mut above: Vec<i32> = Vec::new();
    let (mut parent, mut at) = (NONE, root);
    loop {
        if at != NONE {
            let node = node(nodes, parent, at)?;
            if std::mem::replace(&mut reached[at as usize], true) {
                return Err(TreeError::ReachedTwice(at));
            }
            above.push(at);
            (parent, at) = (at, node.left);
        } else if let Some(next) = above.pop() {
            order.push(next);
            (parent, at) = (next, nodes[next as usize].right);
        } else {
            return Ok(order);
        }
    }
}

fn node(nodes: &[Node], parent: i32, child: i32) -> Result<&Node, TreeError> {
    let found = usize::try_from(child).ok().and_then(|at| nodes.get(at));
    let missing = TreeError::NoSuchNode {
        node: parent,
        child,
    };
    found.filter(|node| !node.is_deleted()).ok_or(missing)
}

/// Heights from the leaves up. Every node is reached once, so children can be measured first.
fn check_balances(nodes: &[Node], root: i32) -> Result<(), TreeError> {
    let mut down = vec![root];
    let mut at = 0;
    while let Some(&node) = down.get(at) {
        let Node { left, right, .. } = nodes[node as usize];
        down.extend([left, right].into_iter().filter(|child| *child != NONE));
        at += 1;
    }
    let mut heights = vec![0; nodes.len()];
    for &node in down.iter().rev() {
        let height = |child: i32| usize::try_from(child).map_or(0, |child| heights[child]);
        let Node {
            left,
            right,
            balance,
        } = nodes[node as usize];
        let (left, right): (i32, i32) = (height(left), height(right));
        let real = right - left;
        if real != i32::from(balance) || real.abs() > 1 {
            let stored = balance;
            return Err(TreeError::WrongBalance { node, stored, real });
        }
        heights[node as usize] = 1 + left.max(right);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn grown(keys: &[u16]) -> Tree {
        let mut tree = Tree::new();
        for key in keys {
            tree.insert(|other| key.cmp(&keys[other as usize]));
        }
        tree
    }

    fn checked(keys: &[u16], tree: &Tree) -> Result<Vec<i32>, TreeError> {
        check(tree.nodes(), tree.root(), |a, b| {
            keys[a as usize].cmp(&keys[b as usize])
        })
    }

    #[test]
    fn rising_keys_make_a_perfect_tree() {
        let keys: Vec<u16> = (0..1023).collect();
        let tree = grown(&keys);
        assert_eq!(tree.root(), 511);
        assert!(tree.nodes().iter().all(|node| node.balance == 0));
        checked(&keys, &tree).unwrap();
    }

    #[test]
    fn faults_are_found() {
        let keys = [4, 2, 6, 1, 3];
        let sound = grown(&keys);
        let spoilt = |spoil: fn(&mut Tree)| {
            let mut tree = sound.clone();
            spoil(&mut tree);
            checked(&keys, &tree).unwrap_err()
        };
        let twice = spoilt(|tree| tree.nodes[4].right = 0);
        assert_eq!(twice, TreeError::ReachedTwice(0));
        let missing = spoilt(|tree| tree.nodes[4].left = 9);
        assert_eq!(missing, TreeError::NoSuchNode { node: 4, child: 9 });
        assert_eq!(
            spoilt(|tree| tree.nodes[1].left = NONE),
            TreeError::NotReached(1)
        );
        let turned = spoilt(|tree| {
            tree.nodes[1] = Node {
                left: 4,
                right: 3,
                balance: 0,
            }
        });
        assert_eq!(turned, TreeError::WrongOrder(4, 1));
        let balance = spoilt(|tree| tree.nodes[0].balance = 1);
        assert!(matches!(
            balance,
            TreeError::WrongBalance {
                node: 0,
                stored: 1,
                real: -1
            }
        ));
        let deleted = spoilt(|tree| tree.nodes[3].left = DELETED);
        assert_eq!(deleted, TreeError::NoSuchNode { node: 1, child: 3 });
    }

    proptest! {
        #[test]
        fn every_tree_is_in_order_and_balanced(keys in prop::collection::vec(0_u16..500, 0..400)) {
            let tree = grown(&keys);
            let order = checked(&keys, &tree).unwrap();
            let mut sorted: Vec<i32> = (0..keys.len() as i32).collect();
            sorted.sort_by_key(|at| keys[*at as usize]);
            prop_assert_eq!(order, sorted);
        }

        #[test]
        fn any_nodes_can_be_checked(
            nodes in prop::collection::vec((-2_i32..12, -2_i32..12, -2_i8..3), 0..10),
            root in -2_i32..12,
        ) {
            let nodes: Vec<Node> = nodes
                .into_iter()
                .map(|(left, right, balance)| Node { left, right, balance })
                .collect();
            let _ = check(&nodes, root, |a, b| a.cmp(&b));
        }
    }
}
