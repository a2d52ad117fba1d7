import type { BuildOptions } from "esbuild";

export const view: BuildOptions;
