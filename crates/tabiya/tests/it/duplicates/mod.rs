//! Games that are there more than once: which are found, which are not, and what becomes of them.

use crate::data;

mod accuracy;
mod cases;
mod perturb;
