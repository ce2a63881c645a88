const { existsSync, readFileSync } = require('node:fs');
const { dirname, resolve } = require('node:path');

/** Modules that start a process, a thread or a server, or call one. */
const STARTERS =
  /^(?:(?:node:)?(?:child_process|cluster|dgram|https?|http2|net|tls|worker_threads)|@temporalio\/(?:client|testing|worker)|smtp-server)$/;

/** The imports that a module loads when it runs, so without `import type`. Group 1 has the imported names, 2 or 3 the module. */
const IMPORTS = /^(?:import|export) (?!type )(?:([^'";]*?) from )?'([^']+)'|\b(?:import|require)\('([^']+)'\)/gm;
const ONLY_TYPES = /^\{(?:\s*type [^,}]+,?)+\s*\}$/;

/** @type {Map<string, string[]>} */
const loaded = new Map();

/** Whether nothing that this file loads, directly or through other modules, now or later, can start a process or a server. */
module.exports.startsNothing = (file) => {
  const files = new Set([file]);
  // The loop also visits entries that are added while it runs.
  for (const one of files) {
    for (const name of loadedBy(one)) {
      if (STARTERS.test(name)) return false;
      const path = name.startsWith('.') && sourceOf(resolve(dirname(one), name));
      if (path) files.add(path);
    }
  }
  return true;
};

function loadedBy(file) {
  if (!loaded.has(file)) loaded.set(file, importsIn(readFileSync(file, 'utf8')));
  return loaded.get(file);
}

function importsIn(text) {
  return [...text.matchAll(IMPORTS)].flatMap(([, names = '', from, called]) => (ONLY_TYPES.test(names) ? [] : [from ?? called]));
}

const sourceOf = (path) => [path, `${path}.ts`, `${path}/index.ts`].find((name) => /\.(?:ts|cjs|mjs)$/.test(name) && existsSync(name));
