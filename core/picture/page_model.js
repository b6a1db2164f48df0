/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The samples of a report, and the figures that are worked out of them.
 *
 * There are two trees, both with the root 0 and parents before their children: that of places
 * (lines of functions), as the data has it, and that of functions, which it is merged to.
 */

/* The object that the base64 TEXT is packed from. */
async function unpack(text) {
	const characters = atob(text);
	const bytes = new Uint8Array(characters.length);
	for (let i = 0; i < bytes.length; i++)
		bytes[i] = characters.charCodeAt(i);
	const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
	return new Response(plain).json();
}

/*
 * A tree whose node N > 0 has the parent PARENT[N] and the ITEM[N], below COUNT.  In `same' is the
 * nearest node above with the same item, or 0, and in `below' the node right below that one on the
 * way down.
 */
class Tree {
	constructor(parent, item, count) {
		this.parent = parent;
		this.item = item;
		this.count = count;
		this.size = parent.length;
		this.child = new Int32Array(this.size);
		this.sibling = new Int32Array(this.size);
		for (let node = this.size - 1; node > 0; node--) {
			this.sibling[node] = this.child[parent[node]];
			this.child[parent[node]] = node;
		}
		this.same = new Int32Array(this.size);
		this.below = new Int32Array(this.size);
		this.findSame();
	}

	/* Calls ENTER and LEAVE for each node below the root, from the outermost ones inwards. */
	walk(enter, leave) {
		let node = 0;
		for (;;) {
			if (this.child[node]) {
				node = this.child[node];
			} else {
				while (node && !this.sibling[node]) {
					leave(node);
					node = this.parent[node];
				}
				if (!node)
					return;
				leave(node);
				node = this.sibling[node];
			}
			enter(node);
		}
	}

	findSame() {
		const innermost = new Int32Array(this.count);
		const levels = new Int32Array(this.size);
		const route = [0];
		this.walk(node => {
			const above = innermost[this.item[node]];
			levels[node] = levels[this.parent[node]] + 1;
			route[levels[node]] = node;
			this.same[node] = above;
			this.below[node] = above ? route[levels[above] + 1] : 0;
			innermost[this.item[node]] = node;
		}, node => {
			innermost[this.item[node]] = this.same[node];
		});
	}

	/* The values SELF of nodes, with those of all nodes below. */
	accumulate(self) {
		const all = Float64Array.from(self);
		for (let node = this.size - 1; node > 0; node--)
			all[this.parent[node]] += all[node];
		return all;
	}

	/* The figures of items: a sample counts once, however often an item recurs in its stack. */
	figures(self, all) {
		const exclusive = new Float64Array(this.count);
		const inclusive = new Float64Array(this.count);
		for (let node = 1; node < this.size; node++) {
			exclusive[this.item[node]] += self[node];
			if (!this.same[node])
				inclusive[this.item[node]] += all[node];
		}
		return {exclusive, inclusive, total: all[0]};
	}

	/*
	 * What of the inclusive metric of the item FOCUS came from its callers and went to its callees:
	 * maps from an item, or -1 for none, to a value.  The innermost occurrence in a stack counts.
	 */
	neighbours(focus, all) {
		const callers = new Map(), callees = new Map();
		const add = (map, key, value) => { map.set(key, (map.get(key) || 0) + value); };
		const above = node => this.parent[node] ? this.item[this.parent[node]] : -1;
		for (let node = 1; node < this.size; node++) {
			if (!all[node])
				continue;
			if (this.parent[node] && this.item[this.parent[node]] === focus)
				add(callees, this.item[node], all[node]);
			if (this.item[node] !== focus)
				continue;
			add(callers, above(node), all[node]);
			if (this.same[node]) {
				add(callers, above(this.same[node]), -all[node]);
				add(callees, this.item[this.below[node]], -all[node]);
			}
		}
		return {callers, callees};
	}
}

class Model {
	constructor(data) {
		this.data = data;
		const nodes = data.node_parent.length + 1;
		const places = new Int32Array(nodes);
		const parents = new Int32Array(nodes);
		for (let node = 1; node < nodes; node++) {
			places[node] = data.node_place[node - 1];
			parents[node] = data.node_parent[node - 1];
		}
		this.placeParent = parents;
		this.placeOf = places;
		this.mergeFunctions();
		this.readSamples();
		this.columns = [];
		this.metric = 0;
		this.filter = {thread: -1, from: null, to: null, within: -1};
		this.compute();
	}

	/* The tree of places is only needed for lines. */
	get places() {
		if (!this.placeTree)
			this.placeTree = new Tree(this.placeParent, this.placeOf, this.data.place_line.length);
		return this.placeTree;
	}

	/* Makes the tree of functions; functionNode has its node of each node of places. */
	mergeFunctions() {
		const data = this.data, count = data.function_name.length;
		const known = new Map(), parent = [0], item = [0];
		this.functionNode = new Int32Array(this.placeParent.length);
		for (let node = 1; node < this.placeParent.length; node++) {
			const above = this.functionNode[this.placeParent[node]];
			const called = data.place_function[this.placeOf[node]];
			const key = above * count + called;
			let merged = known.get(key);
			if (merged === undefined) {
				merged = parent.length;
				known.set(key, merged);
				parent.push(above);
				item.push(called);
			}
			this.functionNode[node] = merged;
		}
		this.functions = new Tree(Int32Array.from(parent), Int32Array.from(item), count);
	}

	readSamples() {
		const data = this.data, count = data.sample_node.length;
		this.times = new Float64Array(count);
		this.begins = new Float64Array(count + 1); /* where the values of each begin */
		let time = 0;
		for (let i = 0; i < count; i++) {
			time += data.sample_time[i];
			this.times[i] = time;
			this.begins[i + 1] =
				this.begins[i] + data.shape_metrics[data.sample_shape[i]].length;
		}
		let first = Infinity, last = -Infinity;
		for (const at of this.times) {
			first = Math.min(first, at);
			last = Math.max(last, at);
		}
		this.timed = last > first;
		this.begin = Math.min(first, 0);
		this.end = Math.max(last, ...data.mark_time);
	}

	/* The number of the metric NAME, or -1. */
	metricNamed(name) {
		return this.data.metric_name.indexOf(name);
	}

	/* What each sample has of METRIC. */
	column(metric) {
		if (this.columns[metric])
			return this.columns[metric];
		const data = this.data;
		const values = new Float64Array(data.sample_node.length);
		const places = data.shape_metrics.map(metrics => metrics.indexOf(metric));
		for (let i = 0; i < values.length; i++) {
			const place = places[data.sample_shape[i]];
			if (place >= 0)
				values[i] = data.values[this.begins[i] + place];
		}
		return this.columns[metric] = values;
	}

	/* By node of places: is the function `within' in the stack? */
	stacksWithin() {
		const has = new Uint8Array(this.placeParent.length);
		for (let node = 1; node < has.length; node++)
			has[node] = has[this.placeParent[node]] ||
				this.data.place_function[this.placeOf[node]] === this.filter.within ? 1 : 0;
		return has;
	}

	/* Calls USE with the number of each sample that the filter lets pass. */
	eachSample(use) {
		const {thread, from, to, within} = this.filter;
		const {sample_node, sample_thread} = this.data;
		const has = within < 0 ? null : this.stacksWithin();
		for (let i = 0; i < sample_node.length; i++) {
			if (thread >= 0 && sample_thread[i] !== thread)
				continue;
			if ((from !== null && this.times[i] < from) || (to !== null && this.times[i] > to))
				continue;
			if (!has || has[sample_node[i] + 1])
				use(i);
		}
	}

	/* Works out what all tabs show, after the filter or the metric has changed. */
	compute() {
		const column = this.data.metric_name.length ? this.column(this.metric) : [];
		this.placeSelf = new Float64Array(this.placeParent.length);
		this.passed = 0;
		this.eachSample(i => {
			this.placeSelf[this.data.sample_node[i] + 1] += column[i];
			this.passed++;
		});
		this.self = new Float64Array(this.functions.size);
		for (let node = 1; node < this.placeSelf.length; node++)
			this.self[this.functionNode[node]] += this.placeSelf[node];
		this.all = this.functions.accumulate(this.self);
		this.figures = this.functions.figures(this.self, this.all);
		this.lineFigures = null;
	}

	/* The figures of lines: of each place. */
	get lines() {
		if (!this.lineFigures)
			this.lineFigures =
				this.places.figures(this.placeSelf, this.places.accumulate(this.placeSelf));
		return this.lineFigures;
	}

	/* The sum of the metric NAME over the samples that the filter lets pass; 0: there is none. */
	sum(name) {
		const metric = this.metricNamed(name);
		let sum = 0;
		if (metric >= 0)
			this.eachSample(i => { sum += this.column(metric)[i]; });
		return sum;
	}

	threadName(thread) {
		return this.data.thread_name[thread] + " (" + this.data.thread_id[thread] + ")";
	}

	get units() {
		return this.data.metric_units[this.metric];
	}

	/* VALUE as the list shows it, or with all digits if FULL. */
	number(value, full) {
		const shown = value / this.units;
		if (full || this.units === 1)
			return String(Number(shown.toPrecision(15)));
		return shown.toFixed(3);
	}

	withUnit(value) {
		const unit = this.data.metric_unit[this.metric];
		const one = this.units === 1 && value === 1;
		return this.number(value) + " " + (one ? unit.replace(/s$/, "") : unit);
	}

	percent(value) {
		const total = this.figures.total;
		return (total ? 100 * value / total : 0).toFixed(2) + " %";
	}
}
