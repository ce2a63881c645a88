/** Imports are lazy here (`scripts/lazy-imports.cjs`): a binding loads its module where it is named, so naming it as an argument is enough. */
export function preload(..._bindings: readonly unknown[]): void {}
