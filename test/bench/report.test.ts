import { createColors } from 'picocolors';
import { figureOf } from '../../bench/figure';
import { figureTable, jsonLines } from '../../bench/report';

const kept = figureOf({ bench: 'overhead', case: 'short', metric: 'wall', ours: 1, reference: 1, unit: 's', aim: 1.1 });
const missed = figureOf({ bench: 'overhead', case: 'long', metric: 'wall', ours: 1234, reference: 1000, unit: 's', aim: 1.1 });
const free = figureOf({ bench: 'overhead', case: 'long', metric: 'events', ours: 7, reference: 6, unit: 'events', aim: null });

describe('the report', () => {
  it('has one JSON object a line', () => {
    const lines = jsonLines([kept, free]).trimEnd().split('\n');
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([kept, free]);
  });

  it('marks what is missed, and only that which has an aim', () => {
    const rows = figureTable([kept, missed, free], createColors(false)).trimEnd().split('\n').slice(1);
    expect(rows.map((row) => row.trimEnd().split(/\s+/).at(-1))).toEqual(['kept', 'missed', '1.17']);
  });

  it('sets numbers flush right', () => {
    const [header = '', ...rows] = figureTable([kept, missed], createColors(false)).trimEnd().split('\n');
    const end = header.indexOf('ours') + 'ours'.length;
    expect(rows.map((row) => row.slice(0, end).trimEnd().length)).toEqual([end, end]);
  });
});
