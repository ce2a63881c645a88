/** What `thermidor init` writes: the smallest folder that shows an agent, a schema, a person and a script. */
export const WORKING_FOLDER: Readonly<Record<string, string>> = {
  'pipelines/hello.yaml': `name: hello
description: A writer greets someone, a person approves, a command prints the greeting.
owner: writer

args:
  who:
    type: string
    default: world

steps:
  - id: greet
    agent: writer
    prompt: Write a greeting for \${args.who}.
    output: Greeting.json

  - id: approve
    type: approval
    prompt: "Send this? \${greet.text}"
    show: [greet]

  - id: send
    run: echo \${greet.text}
`,
  'pipelines/agents/writer.yaml': `title: Writer
role: |
  You write short, friendly texts. Answer with one JSON object and nothing else.
`,
  'pipelines/schemas/Greeting.schema.json': `${JSON.stringify(
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      title: 'Greeting',
      type: 'object',
      required: ['text', 'summary'],
      additionalProperties: false,
      properties: {
        text: { type: 'string', minLength: 1, description: 'The greeting itself.' },
        summary: { type: 'string', description: 'What kind of greeting it is.' },
      },
    },
    null,
    2,
  )}
`,
  'pipelines/scripts/hello.yaml': `description: The writer answers at once, and so does the person.
replies:
  greet:
    - after: 300ms
      json: {text: "Hello, world!", summary: "A plain greeting."}
people:
  - gate: approve
    after: 500ms
    approve: {by: editor, comment: "Friendly enough."}
`,
  'pipelines/hello.test.yaml': `# thermidor test
script: hello
commands:
  send: { stdout: "Hello, world!" }

tests:
  - name: sends what was approved
    expect:
      status: completed
      steps: { approve: { decision: approve }, send: { command: 'echo "Hello, world!"' } }

  - name: sends nothing that was rejected
    people:
      - { gate: approve, after: 2h, reject: { by: editor } }
    expect: { status: rejected, steps: { send: pending } }
`,
  'thermidor.yaml': `# Settings of this folder; \`thermidor doctor\` shows where each value comes from.
pipelines: [pipelines]

# A Temporal server of your own; without one, an embedded server keeps its state in .thermidor/.
# address: localhost:7233
# namespace: default

# What models cost, in US dollars per million tokens, so that runs can tell what they cost and budgets can be in dollars. Look them up
# where your service lists its prices, and write down the day: a model that is not listed costs an unknown amount, never nothing.
# prices:
#   as_of: 2025-11-01
#   models:
#     claude-sonnet-4-5: {input: 3.00, output: 15.00, cache_write: 3.75, cache_read: 0.30}
#     claude-haiku-4-5: {input: 1.00, output: 5.00, cache_write: 1.25, cache_read: 0.10}
`,
  '.gitignore': `.thermidor/
`,
};

/** To be typed in the new folder, in this order. */
export const FIRST_COMMANDS: readonly string[] = [
  'thermidor validate pipelines/hello.yaml',
  'thermidor run hello --script hello',
  'thermidor list',
];
