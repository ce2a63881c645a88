/** Prints what happens, with the time. */
export function aloud(line: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
}

/** Prints a table as `docs/durability.md` has it. */
export function printTable(title: string, rows: Readonly<Record<string, number>>): void {
  const lines = Object.entries(rows).map(([what, count]) => `| ${what} | ${count} |`);
  process.stderr.write(`\n${[title, '', ...lines].join('\n')}\n\n`);
}
