/**
 * Loads modules ahead of time. Imports are lazy here (`scripts/lazy-imports.cjs`): naming a binding loads its module, so passing it as an
 * argument is enough.
 */
export function preload(..._bindings: readonly unknown[]): void {}
