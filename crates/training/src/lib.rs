//! What makes an engine better and shows that it is: matches, openings, ratings.

pub mod endure;
pub mod hub_engine;
pub mod levels;
pub mod match_play;
pub mod openings;
pub mod player;
pub mod record;
pub mod stats;
