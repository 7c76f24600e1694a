import { expect, it } from 'vitest'
import { LANGUAGES } from '../src/parse/languages.ts'
import { createTagParser, PARSE_LIMITS } from '../src/parse/tag-parser.ts'

/** Files written by hand, with the names that a reader of each would call its definitions. */
const FIXTURES: readonly { readonly path: string; readonly text: string; readonly defines: string }[] = [
  {
    path: 'a.ts',
    text: `import { other } from './other.ts'
export interface Shape { readonly side: number }
export type Name = string
export enum Colour { red }
export const LIMIT = 3
export function area(shape: Shape): number { return other(shape.side) }
export class Square implements Shape { side = 1; grow(by: number) { return new Square() } }
const helper = () => LIMIT
abstract class Base { abstract draw(): void }`,
    defines: 'Shape Name Colour LIMIT area Square grow helper Base draw',
  },
  {
    path: 'a.tsx',
    text: `export function Button({ words }: { words: string }) { return <Label text={words} /> }
const Label = (props: { text: string }) => <b>{props.text}</b>`,
    defines: 'Button Label',
  },
  {
    path: 'a.mjs',
    text: `const { join } = require('path')
function first() { return second() }
function* numbers() {}
const second = function () {}
class Thing { run() {} }
exports.third = () => first()
const table = { act: () => 1 }`,
    defines: 'first numbers second Thing run third act',
  },
  {
    path: 'a.py',
    text: `from os import path
LIMIT = 3
class Shape(Base):
    def area(self): return helper(LIMIT)
def helper(x): return x
async def fetch(): pass`,
    defines: 'LIMIT Shape area helper fetch',
  },
  {
    path: 'a.go',
    text: `package main
const Limit = 3
var count int
type Shape struct { Side int }
type Drawer interface { Draw() }
func Area(s Shape) int { return s.Side }
func (s *Shape) Grow() { Area(*s) }`,
    defines: 'Limit count Shape Drawer Area Grow',
  },
  {
    path: 'a.rs',
    text: `const LIMIT: u8 = 3;
pub struct Shape { side: u8 }
pub enum Colour { Red }
pub trait Draw { fn draw(&self); }
impl Shape { pub fn area(&self) -> u8 { helper(self.side) } }
fn helper(x: u8) -> u8 { x }
type Name = String;
macro_rules! shout { () => {} }
mod inner { }`,
    defines: 'LIMIT Shape Colour Draw draw area helper Name shout',
  },
  {
    path: 'A.java',
    text: `import java.util.List;
public class Shape extends Base {
  static final int LIMIT = 3;
  public Shape() {}
  int area() { return helper(LIMIT); }
}
interface Drawer { void draw(); }
enum Colour { RED }
record Point(int x) {}`,
    defines: 'Shape LIMIT area Drawer draw Colour Point',
  },
  {
    path: 'a.c',
    text: `#define LIMIT 3
struct shape { int side; };
typedef struct shape shape_t;
enum colour { red };
int area(struct shape *s) { return helper(s->side); }
static int helper(int x) { return x; }`,
    defines: 'LIMIT shape shape_t colour area helper',
  },
  {
    path: 'a.cpp',
    text: `namespace geo {
class Shape { public: int area() { return helper(1); } };
struct Point { int x; };
enum class Colour { red };
int helper(int x) { return x; }
int Shape::grow() { return 2; }
}`,
    defines: 'Shape area Point Colour helper grow',
  },
  {
    path: 'A.cs',
    text: `namespace Geo {
  public class Shape : Base { public int Side { get; set; } public int Area() { return Helper(Side); } }
  public interface IDraw { void Draw(); }
  public enum Colour { Red }
  public struct Point { }
  public record Name(string First);
}`,
    defines: 'Shape Side Area IDraw Draw Colour Point Name',
  },
  {
    path: 'a.rb',
    text: `module Geo
  LIMIT = 3
  class Shape < Base
    def area; helper(LIMIT); end
    def self.make; new; end
  end
end`,
    defines: 'Geo LIMIT Shape area make',
  },
  {
    path: 'a.php',
    text: `<?php
const LIMIT = 3;
interface Draw { function draw(); }
trait Grows { function grow() {} }
class Shape implements Draw { public function area() { return helper(LIMIT); } }
function helper($x) { return $x; }`,
    defines: 'LIMIT Draw draw Grows grow Shape area helper',
  },
  {
    path: 'a.swift',
    text: `let limit = 3
protocol Drawing { func draw() }
struct Point { var x: Int }
class Shape: Drawing { func draw() { helper() } }
enum Colour { case red }
func helper() {}`,
    defines: 'limit Drawing draw Point Shape Colour helper',
  },
  {
    path: 'a.dart',
    text: `class Shape extends Base { int area() => helper(1); }
mixin Grows { void grow() {} }
enum Colour { red }
int helper(int x) { return x; }`,
    defines: 'Shape area Grows grow Colour helper',
  },
  {
    path: 'a.sol',
    text: `contract Bank { event Paid(address to); struct Account { uint sum; } modifier onlyOwner() { _; } function pay(uint x) public { check(x); } function check(uint x) internal {} }
interface IBank { function pay(uint x) external; }
library Sums { function add(uint x) internal {} }`,
    defines: 'Bank Paid Account onlyOwner pay check IBank Sums add',
  },
]

it('[MAP3] finds at least 95 % of the definitions of every language that it names', async () => {
  const parser = await createTagParser(PARSE_LIMITS)
  const extensions = new Set(FIXTURES.map(({ path }) => path.split('.').at(-1)))
  expect(LANGUAGES.filter(({ extensions: own }) => !own.some((one) => extensions.has(one)))).toEqual([])
  let wantedCount = 0
  const missed: string[] = []
  for (const { path, text, defines } of FIXTURES) {
    const found = new Set((await parser.tagsOf(path, text)).definitions.map(({ name }) => name))
    expect(found.size, path).toBeGreaterThan(0)
    for (const name of defines.split(' ')) {
      wantedCount += 1
      if (!found.has(name)) missed.push(`${path}: ${name}`)
    }
  }
  expect(missed.length / wantedCount, missed.join(', ')).toBeLessThanOrEqual(0.05)
}, 30_000)

it('[MAP3] tells what a file takes from others from what it defines itself', async () => {
  const parser = await createTagParser(PARSE_LIMITS)
  const text = "import { area } from './shape.ts'\nexport function use() { return area(own()) }\nfunction own() {}"
  const { references, imports, definitions } = await parser.tagsOf('use.ts', text)
  expect(references.map(({ name }) => name)).toEqual(['area'])
  expect(imports).toEqual(['./shape.ts'])
  expect(definitions).toEqual([
    { name: 'use', line: 1 },
    { name: 'own', line: 2 },
  ])
})

it('[MAP4] leaves alone what a program wrote, what is too long, and what takes too long', async () => {
  const parser = await createTagParser({ textChars: 10_000, fileMs: 500 })
  expect((await parser.tagsOf('a.js', `function a(){${'b();'.repeat(500)}}`)).definitions).toEqual([])
  expect((await parser.tagsOf('a.js', 'function a() {}\n'.repeat(1_000))).definitions).toEqual([])
  const hasty = await createTagParser({ textChars: 1 << 20, fileMs: 0 })
  expect((await hasty.tagsOf('a.ts', 'function a() { return [[[[1]]]] }\n'.repeat(20_000))).definitions).toEqual([])
  // What was given up for one leaves nothing behind for the next.
  expect((await parser.tagsOf('b.ts', 'function fine() {}')).definitions).toEqual([{ name: 'fine', line: 0 }])
  expect((await parser.tagsOf('b.unknown', 'function fine() {}')).definitions).toEqual([])
})
