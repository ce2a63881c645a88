import { type AdviseGiven, advise, askAdvice, type ConsultMove } from '../../kinds/consult/rules/advise';
import { ADVICE_SCHEMA, type Answered, isSure, readAdvice } from '../../plan/patterns/advice';
import type { Json, JsonObject } from '../../plan/text/json';
import { sweepCount } from '../support/sweep';

/** Who is asked next, and which advice counts: tested by a table, and by random consultations that are compared with a naive count. */

const ADVISERS = { consultant: 'sec', fallback: 'cli', second_opinion: 'arch' };
const said = (confidence: number, more: JsonObject = {}): JsonObject => ({ recommendation: 'x', rationale: 'y', confidence, ...more });
const first: ConsultMove = { ask: 'consultant' };
const again: ConsultMove = { ask: 'consultant', followUp: true };
const standIn: ConsultMove = { ask: 'fallback' };
const second: ConsultMove = { ask: 'second_opinion' };

function next(move: ConsultMove, answer: JsonObject, more: Partial<AdviseGiven> = {}, options: string[] = []): object {
  return advise({ move, advisers: ADVISERS, ...more }, { answer, consultation: { options } }).values.next;
}

describe('who is next', () => {
  it.each<[string, ConsultMove, JsonObject, Partial<AdviseGiven>, object]>([
    ['success · at 0.8 an adviser is sure', first, said(0.8), {}, { end: 'advised' }],
    ['workflow · below it they are asked once more', first, said(0.79), {}, again],
    ['workflow · and nobody a third time', again, said(0.79), {}, second],
    ['workflow · the one who stands in is asked once more as well', standIn, said(0.1), {}, { ask: 'fallback', followUp: true }],
    ['success · a second opinion that is sure ends it', second, said(0.9), {}, { end: 'advised' }],
    ['fallbacks · one that is not ends it too, unverified', second, said(0.1), {}, { end: 'unverified' }],
    ['fallbacks · a specialist without an answer is stood in for', first, {}, { failed: 'x' }, standIn],
    [
      'fallbacks · without a stand-in a second opinion is asked for',
      first,
      {},
      { failed: 'x', advisers: { second_opinion: 'arch' } },
      second,
    ],
    ['fallbacks · without either it is unverified', first, {}, { failed: 'x', advisers: {} }, { end: 'unverified' }],
    ['fallbacks · a follow-up without an answer is not stood in for', again, {}, { failed: 'x' }, second],
    ['time-out · ends it at once', first, {}, { late: true }, { end: 'unverified' }],
    ['entry · an answer of another shape is none', first, { recommendation: 'x', confidence: 'high' }, {}, standIn],
  ])('CP-8 · %s', (_rule, move, answer, more, expected) => {
    expect(next(move, answer, more)).toEqual(expected);
  });

  it('CP-8 · workflow · advice that names none of the options is not sure', () => {
    expect(next(first, said(1, { recommendation: 'something else' }), {}, ['A', 'B'])).toEqual(again);
    expect(next(first, said(1, { recommendation: ' b ' }), {}, ['A', 'B'])).toEqual({ end: 'advised' });
  });

  it('CP-8 · workflow · random consultations end, ask each at most twice, and keep sure advice, else the surest', () => {
    let seed = 23;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    for (let run = 0; run < sweepCount(400, 2000); run++) {
      const advisers = { consultant: 'c', ...(random(2) ? { fallback: 'f' } : {}), ...(random(2) ? { second_opinion: 's' } : {}) };
      const options = random(2) ? ['x', 'z'] : [];
      let move: ConsultMove = first;
      let record: Json = { options };
      const asked: string[] = [];
      for (;;) {
        asked.push(move.ask);
        const failed = random(4) === 0 ? { failed: 'x' } : random(9) === 0 ? { late: true as const } : {};
        const answer = said(random(11) / 10, { recommendation: ['x', 'w'][random(2)] ?? '' });
        const { result, values } = advise({ move, advisers, ...failed }, { consultation: record, answer });
        record = result;
        if (!('end' in values.next)) {
          move = values.next;
          continue;
        }
        const given = result.answers.filter((one): one is Extract<Answered, { advice: unknown }> => 'advice' in one);
        const sure = given.find(({ advice }) => isSure(advice, options));
        expect(values.next.end).toBe(sure ? 'advised' : 'unverified');
        const best = sure?.advice.confidence ?? Math.max(...given.map(({ advice }) => advice.confidence));
        expect(result.confidence).toBe(given.length === 0 ? null : best);
        expect(result.marked).toBe(sure ? null : 'UNVERIFIED');
        break;
      }
      expect(asked.length).toBeLessThanOrEqual(4);
      for (const one of asked) expect(asked.filter((other) => other === one).length).toBeLessThanOrEqual(one === 'second_opinion' ? 1 : 2);
    }
  });
});

describe('the question', () => {
  it('CP-8 · entry · is of text, with its context and its options', () => {
    const asked = askAdvice({ topic: 't', urgency: 'low' }, { matter: { question: ' Which? ', context: { a: 1 }, options: ['A', 2, ''] } });
    expect(asked.result).toMatchObject({
      outcome: 'open',
      topic: 't',
      urgency: 'low',
      question: 'Which?',
      context: { a: 1 },
      options: ['A', '2'],
    });
    expect(asked.values).toEqual({ question: 'Which?', options: ['A', '2'] });
  });

  it('CP-8 · workflow · what enters the journal is brief, and the record has the whole', () => {
    const long = 'x'.repeat(8000);
    const { result, values } = advise(
      { move: first, advisers: ADVISERS },
      { answer: said(0.9, { recommendation: long, rationale: long, references: Array(50).fill(long) }) },
    );
    expect(result.recommendation).toBe(long);
    expect(JSON.stringify(values).length).toBeLessThan(5000);
  });

  it.each<[string, Json, boolean]>([
    ['whole', said(1), true],
    ['a confidence of 7', said(7), false],
    ['a confidence of "high"', { ...said(1), confidence: 'high' }, false],
    ['no recommendation', { confidence: 1 }, false],
    ['a text', 'x', false],
  ])('CP-8 · entry · advice is read: %s', (_what, value, reads) => {
    expect(readAdvice(value) !== undefined).toBe(reads);
    expect(ADVICE_SCHEMA.required).toContain('confidence');
  });
});
