import { ToolRefusal } from '../../tool-ports';

/** `*` and `?` within a name, `**` over folders, `[abc]`, `[!a-z]`, `{a,b}`. A pattern without `/` is for names at any depth. */
export type Glob = (path: string) => boolean;

type Token = { kind: 'one'; fits: (character: string) => boolean } | { kind: 'many' } | { kind: 'deep' };

const MOST_PATTERN = 400;
const MOST_CHOICES = 64;
/** The limit of all choices together: a path costs at most this many steps for each character. */
const MOST_TOKENS = 1000;

/**
 * Reads a pattern. The result walks a path once for all the ways to read it, so no pattern takes long: time is at most pattern × path.
 * Fails with a `ToolRefusal`.
 */
export function readGlob(pattern: string): Glob {
  if (pattern.length > MOST_PATTERN) throw new ToolRefusal(`a file pattern may have at most ${MOST_PATTERN} characters`);
  const bare = pattern.replace(/^(\.?\/)+/, '');
  const anchored = pattern.includes('/') ? bare : `**/${bare}`;
  const choices = choicesOf(anchored).map(tokensOf);
  if (choices.reduce((sum, tokens) => sum + tokens.length, 0) > MOST_TOKENS)
    throw new ToolRefusal('the file pattern expands to too much; use fewer or shorter choices');
  return (path) => choices.some((tokens) => fits(tokens, [...path]));
}

/** `a{b,c}` as `ab` and `ac`. */
function choicesOf(pattern: string): string[] {
  let open = [pattern];
  for (;;) {
    const next = open.flatMap((one) => {
      // The innermost, so that nested ones are read too.
      const found = /\{([^{}]*)\}/.exec(one);
      if (!found) return [one];
      const [whole, inner = ''] = found;
      return inner.split(',').map((choice) => one.slice(0, found.index) + choice + one.slice(found.index + whole.length));
    });
    if (next.length > MOST_CHOICES) throw new ToolRefusal(`a file pattern may have at most ${MOST_CHOICES} choices`);
    if (next.every((one, i) => one === open[i])) return next;
    open = next;
  }
}

function tokensOf(pattern: string): Token[] {
  const tokens: Token[] = [];
  for (let rest = pattern; rest !== ''; ) {
    const [taken, token] = firstToken(rest, tokens.length === 0 || pattern[pattern.length - rest.length - 1] === '/');
    tokens.push(token);
    rest = rest.slice(taken.length);
  }
  return tokens;
}

function firstToken(rest: string, startsName: boolean): [taken: string, token: Token] {
  const deep = startsName ? /^\*\*(\/|$)/.exec(rest) : null;
  if (deep) return [deep[0], { kind: 'deep' }];
  const many = /^\*+/.exec(rest);
  if (many) return [many[0], { kind: 'many' }];
  if (rest.startsWith('?')) return ['?', { kind: 'one', fits: (character) => character !== '/' }];
  const set = /^\[([!^]?)(\]?[^\]]*)\]/.exec(rest);
  if (set) return [set[0], { kind: 'one', fits: inSet(set[2] ?? '', set[1] !== '') }];
  const [character = ''] = rest;
  return [character, { kind: 'one', fits: (one) => one === character }];
}

function inSet(members: string, isNegated: boolean): (character: string) => boolean {
  const ranges: [from: string, to: string][] = [];
  const characters = [...members];
  for (let from = characters.shift(); from !== undefined; from = characters.shift()) {
    const isRange = characters[0] === '-' && characters.length > 1;
    const [, to = from] = isRange ? characters.splice(0, 2) : [];
    ranges.push([from, to]);
  }
  return (one) => one !== '/' && ranges.some(([from, to]) => from <= one && one <= to) !== isNegated;
}

/** Every place in the pattern that the path so far may have led to, character by character. */
function fits(tokens: readonly Token[], path: readonly string[]): boolean {
  let places = new Uint8Array(tokens.length + 1);
  places[0] = 1;
  passOver(tokens, places, true);
  for (const character of path) {
    const next = new Uint8Array(tokens.length + 1);
    let isAnywhere = false;
    for (let place = 0; place < tokens.length; place += 1) {
      if (!places[place]) continue;
      const token = tokens[place];
      const stays = token?.kind === 'deep' || (token?.kind === 'many' && character !== '/');
      const goesOn = token?.kind === 'one' && token.fits(character);
      if (stays) next[place] = 1;
      if (goesOn) next[place + 1] = 1;
      isAnywhere ||= stays || goesOn;
    }
    if (!isAnywhere) return false;
    passOver(tokens, next, character === '/');
    places = next;
  }
  return places[tokens.length] === 1;
}

/** Adds the places after tokens that may match nothing; `**` may be skipped only between names, or at its end. */
function passOver(tokens: readonly Token[], places: Uint8Array, atName: boolean): void {
  for (let place = 0; place < tokens.length; place += 1) {
    const kind = places[place] ? tokens[place]?.kind : undefined;
    const isLast = place === tokens.length - 1;
    if (kind === 'many' || (kind === 'deep' && (atName || isLast))) places[place + 1] = 1;
  }
}
