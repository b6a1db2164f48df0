/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The call tree with collapsed recursion, as core/metric/collapse.c defines it: where a stack enters
 * a function that it is in already, it jumps back to the node of that function, and leaves a stub.
 */

/* What the degrees collapse; AT is the node of the caller, INSTANCE the nearest of the function. */
const DEGREES = {
	none: () => false,
	direct: (tree, at, instance) => instance === at,
	/* Each function below INSTANCE must also occur from there upwards, so that none gets lost. */
	conservative: (tree, at, instance) => tree[at].novel <= tree[instance].level,
	full: () => true,
};

/*
 * The tree of FUNCTIONS with the values SELF and, accumulated, ALL: an array of nodes whose first
 * is the root.  A node has `value' of the stacks that pass it and `own' of those that end there.
 */
function collapse(functions, self, all, degree) {
	const tree = [{level: 0, novel: 0, children: new Map(), value: all[0], own: self[0], visits: 1}];
	const steps = [0];
	const instanceOf = (at, called) => {
		for (let node = at; node; node = tree[node].parent) {
			if (tree[node].item === called)
				return node;
		}
		return 0;
	};
	const childOf = (at, called) => {
		const known = tree[at].children.get(called);
		if (known !== undefined)
			return known;
		const instance = instanceOf(at, called);
		const stub = instance > 0 && DEGREES[degree](tree, at, instance);
		const level = tree[at].level + 1;
		tree.push({
			item: called, parent: at, level, stub, target: stub ? instance : 0,
			novel: instance ? tree[at].novel : level,
			children: new Map(), value: 0, own: 0, visits: 0,
		});
		tree[at].children.set(called, tree.length - 1);
		return tree.length - 1;
	};
	functions.walk(raw => {
		let at = steps[steps.length - 1];
		if (all[raw]) {
			const child = childOf(at, functions.item[raw]);
			at = tree[child].stub ? tree[child].target : child;
			tree[at].own += self[raw];
			/* Each stack counts once: where it is met first. */
			if (!tree[at].visits++)
				tree[at].value += all[raw];
		}
		steps.push(at);
	}, raw => {
		const at = steps.pop();
		if (all[raw])
			tree[at].visits--;
	});
	return tree;
}
