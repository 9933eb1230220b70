//! Spellings that are one person's are found, and those of two are kept apart.

use crate::data;

mod accuracy;
mod behaviour;
mod field;
mod perturb;
mod titles;
