//! Parcels and their weights.
use std::{collections::HashMap, fmt};

const LIMIT: usize = 1_000;
static NAME: &str = "parcel";

/// How heavy it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Parcel<'a, T: Copy = u32> {
    pub name: &'a str,
    weight: T,
    parts: Vec<Option<T>>,
}

pub enum Size { Small, Large { width: u32, height: u32 }, Other(String) }

pub trait Weigh {
    const UNIT: char = 'g';
    fn weigh(&self) -> u32;
    fn is_light(&self) -> bool { self.weigh() < 10 }
}

impl<'a> Weigh for Parcel<'a> {
    fn weigh(&self) -> u32 {
        self.parts.iter().filter_map(|part| *part).sum::<u32>() + self.weight
    }
}

fn describe(size: &Size) -> Result<String, Box<dyn fmt::Display>> {
    let text = match size {
        Size::Small => "small".to_string(),
        Size::Large { width, .. } if *width > 5 => format!("{} wide", width),
        Size::Large { width: 0..=3, height } => height.to_string(),
        _ => return Err(Box::new("other")),
    };
    Ok(text)
}

pub fn main() {
    let mut counts: HashMap<&str, i64> = HashMap::new();
    for (index, word) in NAME.split('e').enumerate() {
        *counts.entry(word).or_insert(0) += index as i64;
    }
    let parcel = Parcel { name: "a", weight: 2, parts: vec![Some(1), None] };
    if let Some(part) = parcel.parts.get(0) { println!("{:?} {}", part, parcel.weigh()); }
    let mut n = 0;
    'outer: loop {
        n += 1;
        while n < LIMIT && !parcel.is_light() { if n % 2 == 0 { continue 'outer; } n <<= 1; }
        break;
    }
    unsafe { std::ptr::read(&n as *const usize); }
    let _ = (describe(&Size::Small).is_ok(), [0u8; 4], -1.5e3, r#"raw"#, &mut n);
}
