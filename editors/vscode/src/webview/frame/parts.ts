/** The view's large parts: separate files next to its script, loaded when they are needed. */
interface Parts {
  maths: typeof import("../../maths/maths.js");
  diagrams: { program: string };
}

const own = document.currentScript instanceof HTMLScriptElement ? document.currentScript : undefined;

/** The policy's nonce, if it has one. */
export const nonce = own?.nonce ?? "";

const loaded = new Map<keyof Parts, Promise<unknown>>();

/** Loads a part once. After a failure, the next call tries again. */
export function part<Name extends keyof Parts>(name: Name): Promise<Parts[Name]> {
  const already = loaded.get(name);
  if (already) return already as Promise<Parts[Name]>;
  const loading = import(new URL(`${name}.js`, own?.src ?? location.href).href) as Promise<Parts[Name]>;
  loaded.set(name, loading);
  loading.catch(() => loaded.delete(name));
  return loading;
}
