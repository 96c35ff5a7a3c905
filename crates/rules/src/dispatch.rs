//! The door between rule sets, which are values, and the generic code behind it, which is typed.
//!
//! [`dispatch`] picks the static instance of a known family and the data instance of the board's geometry for everything else; type
//! parameters never leak out of the job.

#[cfg(feature = "static-rules")]
use crate::families;
use crate::geometry::{Diagonal8, Diagonal10, Diagonal12, Geometry, Orthogonal8, Shape};
use crate::movement::{Movement, RuleSource};

/// Work that is written once, generically, and run for whatever rules and board come.
pub trait Job {
    /// What the job gives back.
    type Output;
    /// Does the work with the board's types and the rules' source.
    fn run<G: Geometry, R: RuleSource>(self, rules: R) -> Self::Output;
}

/// Runs a job for a board and its movement.
pub fn dispatch<J: Job>(shape: Shape, movement: &Movement, job: J) -> J::Output {
    #[cfg(feature = "static-rules")]
    {
        use families as f;
        match shape {
            Shape::Diagonal8 => {
                if *movement == f::ITALIAN {
                    return job.run::<Diagonal8, _>(f::Italian);
                } else if *movement == f::INTERNATIONAL {
                    return job.run::<Diagonal8, _>(f::International);
                } else if *movement == f::SPANISH {
                    return job.run::<Diagonal8, _>(f::Spanish);
                } else if *movement == f::RUSSIAN {
                    return job.run::<Diagonal8, _>(f::Russian);
                } else if *movement == f::AMERICAN {
                    return job.run::<Diagonal8, _>(f::American);
                } else if *movement == f::POOL {
                    return job.run::<Diagonal8, _>(f::Pool);
                } else if *movement == f::CZECH {
                    return job.run::<Diagonal8, _>(f::Czech);
                }
            }
            Shape::Diagonal10 => {
                if *movement == f::INTERNATIONAL {
                    return job.run::<Diagonal10, _>(f::International);
                } else if *movement == f::FRISIAN {
                    return job.run::<Diagonal10, _>(f::Frisian);
                }
            }
            Shape::Diagonal12 | Shape::Orthogonal8 => {}
        }
    }
    run_as_data(shape, movement, job)
}

/// Runs a job with the rules read at run time, whatever they are.
pub fn run_as_data<J: Job>(shape: Shape, movement: &Movement, job: J) -> J::Output {
    match shape {
        Shape::Diagonal8 => job.run::<Diagonal8, _>(movement),
        Shape::Diagonal10 => job.run::<Diagonal10, _>(movement),
        Shape::Diagonal12 => job.run::<Diagonal12, _>(movement),
        Shape::Orthogonal8 => job.run::<Orthogonal8, _>(movement),
    }
}
