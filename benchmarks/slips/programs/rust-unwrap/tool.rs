fn pair(line: &str) -> u32 {
    let mut parts = line.split(':');
    let key = parts.next().unwrap();
    let value = parts.next().unwrap(); // BUG value
    let rest: u32 = value.chars().map(|each| each.to_digit(10).unwrap()).sum(); // BUG digit
    rest + key.len() as u32
}

fn main() {
    let text = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    println!("{}", text.lines().map(pair).sum::<u32>());
}
