import { dryRun } from '../../cli/dry-run/dry-run';
import { renderDryRun } from '../../cli/rendering/dry-run';
import { request } from './dry-run-request';
import { fakeTerminal } from './fake-terminal';

const { colors } = fakeTerminal();

test('the text of a dry run says all of a plan, step by step', () => {
  const run = dryRun(request());
  expect(renderDryRun(run, colors)).toMatchInlineSnapshot(`
    "weekly  dry run: nothing is started
      Everything at once.
      args: topic = "o'neill & sons", files = [{"name":"a"},{"name":"b"}], token = "secret://env/TOKEN"
      commands get: PATH, HOME, USER, LOGNAME, SHELL, LANG, TMPDIR, TERM, TZ, XDG_CACHE_HOME, XDG_CONFIG_HOME of their worker, LC_ALL=C, and the variables below
      budget: 50.0k tokens, $2.00
      at once: at most 8 steps; those with the same number may run side by side

    1. intel  agent writer (adapter scripted) → Brief.json
       at most 3 tries, 2.0 s doubling up to 30 s between them
       prompt:
         │ # Role
         │
         │ You are the writer.
         │
         │ You write.
         │
         │ # Answer
         │
         │ Answer with one JSON object and nothing else: no text before or after it. Give every required field, and leave none blank; if you cannot know one, leave it out and list its path in a field \`missing_fields\`.
         │
         │ # Run
         │
         │ Pipeline: weekly. Everything at once.
         │ Date: ⟨the day of the run⟩ (UTC)
         │ Step: intel
         │
         │ # Task
         │
         │ Look at o'neill & sons since ⟨run.startedAt⟩.
    2. looks  side by side: 1 of 2 must give a result
       timeout 5 min 00 s
       merge: union over id
       1. fetch  command
          on a worker of queue host
          run: curl -o ⟨intel.market⟩
       1. deep  a branch of several steps
          1. dig  agent writer (adapter scripted)
             prompt:
               │ # Role
               │
               │ You are the writer.
               │
               │ You write.
               │
               │ # Answer
               │
               │ Answer in plain text or JSON.
               │
               │ # Run
               │
               │ Pipeline: weekly. Everything at once.
               │ Date: ⟨the day of the run⟩ (UTC)
               │ Step: dig
               │
               │ # Task
               │
               │ Do step "dig" of pipeline "weekly".
               │
               │ # Artifacts of earlier steps
               │
               │ You may read these in whole. Read them with \`read_artifact\`, by step or name.
               │
               │ - Brief.json: step intel, by writer
          2. judge  review of dig by writer (adapter scripted)
             on revise: retry dig, at most 2
             on block: escalate to human
             prompt:
               │ # Role
               │
               │ You are the writer.
               │
               │ You write.
               │
               │ # Answer
               │
               │ Answer with one JSON object and nothing else: no text before or after it. Give every required field, and leave none blank; if you cannot know one, leave it out and list its path in a field \`missing_fields\`.
               │
               │ \`verdict\` is \`pass\`, \`revise\` (the work must be improved, and comes back to you) or \`block\` (the work must not go on). \`issues\` lists what you have found, each with \`severity\` (\`critical\`, \`high\`, \`medium\` or \`low\`), \`file\`, \`line\`, \`description\` and \`suggestion\`; it may be empty. \`summary\` sums up the report in a few sentences. Write \`unfixable: true\` only if no revision would help, because what the work is made from is wrong.
               │
               │ # Run
               │
               │ Pipeline: weekly. Everything at once.
               │ Date: ⟨the day of the run⟩ (UTC)
               │ Step: judge
               │
               │ # Task
               │
               │ Do step "judge" of pipeline "weekly". You judge the output of step "dig".
               │
               │ # Artifacts of earlier steps
               │
               │ You may read these in whole. Read them with \`read_artifact\`, by step or name.
               │
               │ - dig: step dig, by writer
               │ - Brief.json: step intel, by writer
    3. each  for each file of args.files (2), 3 at once, a pause of 1.0 s after every 10
       when args.quick != true (which holds)
       1. lint  shell
          run: lint ⟨file.name⟩ 'o'\\''neill & sons'
          cwd: src
          env TOKEN: ⟨secret://env/TOKEN⟩
       2. accept  shell
          run: cat
          stdin: ⟨lint⟩
          ? then a person approves: Keep it?
    4. ship  pipeline deploy, as a run of its own
       arg target: ⟨intel.market⟩
       1. push  shell
          run: push to ⟨intel.market⟩
       2. allow  a person decides in #ops: ann, bob
          choices: approve, reject
          quorum: 2 of 2 must approve
    5. size  a person gives a value
       timeout 1 h 00 min
       asks: How large?
       schema: {"type":"object","required":["size"],"properties":{"size":{"type":"integer"}}}
       offers: {"size":3}
    6. pipe  pipe, in which a person is asked: approve
       pipe: exec --json ls "o'neill & sons" | where size>=3 | approve --prompt "All of these?"
    7. signal  wait for the signal market-open
       timeout 1 min 00 s
    8. approve  a person decides: chairman
       timeout 1 d 0 h
       asks: Trade on ⟨intel.market⟩?
       shows: intel
       choices: approve, reject
       four eyes: neither the owner nor the person who started the run
       when time is up: reject
       reminds: every 2 h 00 min
       on reject: retry intel, at most 2

    finally, whatever happened
    1. tell  notify #desk
       message: done with o'neill & sons
    "
  `);
});
