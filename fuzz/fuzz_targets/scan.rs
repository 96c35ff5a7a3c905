//! The scanner of PDN: it ends for any bytes, its games begin and end in turn, and what it tells lies in the file one behind the other.
#![no_main]

use damiera_pdn::scan::{Event, Flow, Place, scan};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let (mut open, mut last, mut depth) = (false, Place::default(), 0i64);
    let summary = scan(data, &mut |place: Place, event: Event<'_>| {
        match event {
            Event::GameBegin => {
                assert!(!open);
                (open, depth) = (true, 0);
            }
            Event::GameEnd => {
                assert!(open);
                open = false;
            }
            Event::VariationBegin => depth += 1,
            Event::VariationEnd => depth -= 1,
            _ => {}
        }
        assert!(depth >= 0);
        assert!(place.offset <= data.len() as u64 && place.line >= 1 && place.column >= 1);
        assert!(place.offset >= last.offset && place.line >= last.line, "{last:?} {place:?}");
        last = place;
        Flow::Continue
    })
    .expect("bytes in memory");
    assert!(!open);
    assert_eq!(summary.bytes, data.len() as u64);
});
