import { readFileSync } from "fs";

export interface Shape<T = number> {
  readonly name: string;
  size?: T | undefined;
  area(scale: number): number;
}

type Pair<A, B> = [A, B];
type Keys = keyof Shape;
enum Colour { Red = 1, Green, Blue = "blue".length }

abstract class Base implements Shape {
  constructor(public readonly name: string, protected colour: Colour = Colour.Red) {}
  abstract area(scale: number): number;
}

class Square extends Base {
  private static made = 0;
  side: number = 1;
  area(scale: number): number {
    Square.made += 1;
    return this.side ** 2 * scale;
  }
}

function first<T extends Shape>(shapes: T[], fallback: T): T {
  return shapes.length > 0 ? shapes[0]! : fallback;
}

const shapes: Array<Shape> = [new Square("a"), new Square("b", Colour.Green)];
const pair: Pair<string, number> = ["x", 3];
for (const shape of shapes) {
  if (shape instanceof Square && shape.side > 0) {
    console.log(`${shape.name}: ${shape.area(2) as number}`);
  }
}
declare function later(callback: (done: boolean) => void): Promise<void>;
later((done) => { if (!done) throw new TypeError("not done"); });
