import { parseStages } from '../../../compiler/lobster/pipe/stages';
import { isLateStage, STAGES } from '../../../plan/stages/stage';

const parse = (pipe: string) => parseStages(pipe, (word) => [word]);
const flagsOf = (pipe: string) => parse(pipe).stages.flatMap((stage) => (isLateStage(stage) ? [] : [stage.flags]))[0];

describe('flags', () => {
  it('take the word after them, unless that is a flag too', () => {
    expect(parse('sort --key a.b --desc').stages).toEqual([{ name: 'sort', words: [], flags: { key: ['a.b'], desc: [] } }]);
    expect(parse('sort --desc --key a').stages).toEqual([{ name: 'sort', words: [], flags: { desc: [], key: ['a'] } }]);
  });

  it('take a value after =, also an empty one, and the last of two', () => {
    expect(flagsOf('head --n=3')).toEqual({ n: ['3'] });
    expect(flagsOf('approve --prompt=')).toEqual({ prompt: [''] });
    expect(flagsOf('head --n 1 --n 2')).toEqual({ n: ['2'] });
  });

  it('take an empty word for a value', () => {
    expect(flagsOf('approve --prompt ""')).toEqual({ prompt: [''] });
  });

  it('of exec: --json takes nothing, wherever it is', () => {
    const expected = { name: 'exec', words: [['node'], ['x.js']], flags: { json: [] } };
    expect(parse('exec --json node x.js').stages).toEqual([expected]);
    expect(parse('exec node x.js --json').stages).toEqual([expected]);
  });

  it('of the command after exec go to the command, with a word about it', () => {
    const { stages, faults } = parse('exec git log --oneline -n 5 --json');
    expect(stages).toEqual([{ name: 'exec', words: [['git'], ['log'], ['--oneline'], ['-n'], ['5']], flags: { json: [] } }]);
    expect(faults).toMatchObject([{ code: 'lobster.unknown-flag', start: 13, end: 22 }]);
  });

  it('that the stage does not have are dropped with their value, as Lobster does', () => {
    const { stages, faults } = parse('exec --timeout 5 ls');
    expect(stages).toEqual([{ name: 'exec', words: [['ls']], flags: {} }]);
    expect(faults).toMatchObject([{ code: 'lobster.unknown-flag' }]);
    expect(parse('sort --kye x').faults[0]?.hint).toContain('"key"');
  });

  it('have one spelling in the plan', () => {
    const pipe = 'openclaw.invoke --tool t --action a --itemKey k --dryRun --sessionKey s';
    expect(parse(pipe).faults).toEqual([]);
    expect(flagsOf(pipe)).toEqual({ tool: ['t'], action: ['a'], 'item-key': ['k'], 'dry-run': [], 'session-key': ['s'] });
  });
});

describe('stages', () => {
  const examples: Record<(typeof STAGES)[number], string> = {
    exec: 'exec --stdin jsonl --shell "sort | uniq"',
    json: 'json',
    table: 'table',
    pick: 'pick a,b.c',
    where: "where 'a.b != x y'",
    head: 'head --n 0',
    map: 'map k=v id={{id}} --wrap x',
    sort: 'sort',
    dedupe: 'dedupe --key id',
    groupBy: 'groupBy --key from',
    template: 'template --text \'PR {{number | default "-"}}\'',
    approve: 'approve --emit --preview-from-stdin --limit 5 --prompt "Send?"',
    ask: `ask --subject-from-stdin --schema '{"type":"object"}'`,
    'diff.last': 'diff.last key',
    'state.get': 'state.get k',
    'state.set': 'state.set k',
    'llm.invoke': `llm.invoke --provider http --model m --output-schema '{}' --max-output-tokens 5 --temperature 0 Sum it up`,
    'openclaw.invoke': `openclaw.invoke --tool t --action a --each --item-key k --args-json '{"a": 1}' --dry-run`,
    'commands.list': 'commands.list',
    'workflows.list': 'workflows.list',
  };

  it.each(STAGES.map((name) => [name, examples[name]]))('%s is known: %s', (name, pipe) => {
    expect(parse(pipe)).toMatchObject({ stages: [{ name }], faults: [] });
  });

  it('go by another name in places', () => {
    expect(parse('llm_task.invoke hi').stages).toEqual([
      { name: 'llm.invoke', words: [['hi']], flags: { provider: ['openclaw'] }, alias: 'llm_task.invoke' },
    ]);
    expect(flagsOf('llm_task.invoke hi --provider pi')).toEqual({ provider: ['pi'] });
    expect(parse('clawd.invoke --tool t --action a').stages[0]).toMatchObject({ name: 'openclaw.invoke', alias: 'clawd.invoke' });
  });

  it.each(['gog.gmail.search --query x', 'email.triage', 'github.pr.monitor', 'constructor', '__proto__'])(
    '%s is unknown, and the known are listed',
    (pipe) => {
      const [fault] = parse(`json | ${pipe}`).faults;
      expect(fault).toMatchObject({ code: 'lobster.unknown-stage', start: 7 });
      expect(fault?.hint).toContain('workflows.list');
    },
  );

  it('say what they need in the words of the name they go by', () => {
    expect(parse('llm_task.invoke --model m').faults[0]?.message).toBe('llm_task.invoke requires --prompt or positional text');
    expect(parse('groupBy').faults[0]?.message).toBe('groupBy requires --key');
  });

  it('are not checked for what only a run knows', () => {
    const dynamic = parseStages('head --n $x | where $y', (word) =>
      word.startsWith('$') ? [{ kind: 'arg', name: 'x', path: [] }] : [word],
    );
    expect(dynamic.faults).toEqual([]);
  });

  it('that a value names keep their words as they are, and are looked at when it is there', () => {
    const value = { kind: 'arg' as const, name: 'x', path: [] };
    const late = parseStages('$x --n 1 $x | json', (word) => (word === '$x' ? [value] : [word]));
    expect(late).toEqual({
      stages: [
        { name: [value], rest: [['--n'], ['1'], [value]] },
        { name: 'json', words: [], flags: {} },
      ],
      faults: [],
    });
  });
});
