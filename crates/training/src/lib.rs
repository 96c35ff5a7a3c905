//! What makes an engine better and shows that it is: matches, openings, ratings, and the fitting of its evaluation.

pub mod endure;
pub mod fit;
pub mod hub_engine;
pub mod levels;
pub mod match_play;
pub mod openings;
pub mod player;
pub mod record;
pub mod selfplay;
pub mod stats;
pub mod tactics;
