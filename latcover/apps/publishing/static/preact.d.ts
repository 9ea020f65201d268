// The types of preact.js, a bundle of htm and preact: what our panels use of it.

export interface VNode {
  type: unknown;
  props: Record<string, unknown>;
}

/** What a component may show. */
export type Shown = VNode | string | number | null | undefined | false | Shown[];

export function html(texts: TemplateStringsArray, ...values: unknown[]): VNode;
export function h<Props>(component: (props: Props) => Shown, props: Props & { key?: string | number }): VNode;
export function render(shown: Shown, place: Element): void;
export function useState<State>(
  first: State | (() => State),
): [State, (next: State | ((before: State) => State)) => void];
export function useEffect(act: () => void | (() => void), on?: readonly unknown[]): void;
export function useLayoutEffect(act: () => void | (() => void), on?: readonly unknown[]): void;
export function useRef<Held>(first: Held): { current: Held };
export function useMemo<Made>(make: () => Made, on: readonly unknown[]): Made;
