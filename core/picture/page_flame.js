/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The flame graph of a report: lays out the boxes that are wide enough to be seen, again after each
 * zoom, so that what was too narrow comes into view.  flame.js does the rest.
 */

const SVG = "http://www.w3.org/2000/svg";
const GRAPH = {width: 1180, margin: 10, row: 18, box: 17, narrowest: 1, thin: 3};
const OBJECT_COLORS = 8; /* of the classes c1 and following; the next two are for others */

function draw(parent, name, attributes, text) {
	const made = document.createElementNS(SVG, name);
	for (const key in attributes)
		made.setAttribute(key, attributes[key]);
	if (text !== undefined)
		made.textContent = text;
	return parent.appendChild(made);
}

/* Adds the color of the class number COLOR to a legend. */
function swatch(entry, color) {
	const square = draw(entry, "svg", {class: "swatch", "aria-hidden": "true"});
	return draw(square, "rect", {width: "100%", height: "100%", class: "c" + color});
}

class FlameTab {
	constructor(report) {
		this.report = report;
		this.name = "flame";
		this.title = "Flame graph";
		this.inverted = false;
		this.zoomed = []; /* the functions from the root to the box that fills the width */
	}

	build(panel) {
		const bar = make(panel, "div", {class: "bar"});
		const label = make(bar, "label");
		this.check = make(label, "input", {type: "checkbox", id: "inverted"});
		label.append(" Inverted: callers below what they call");
		this.check.addEventListener("change", () => {
			this.inverted = this.check.checked;
			this.zoomed = [];
			this.draw();
		});
		this.reset = make(bar, "button", {type: "button", id: "reset"}, "Show all (Esc)");
		this.reset.addEventListener("click", () => this.zoom([]));
		this.next = make(bar, "button", {type: "button"}, "Next match (n)");
		this.next.addEventListener("click", () => this.graph && this.graph.next(1));
		this.matched = make(bar, "span", {id: "matched", role: "status"});
		this.details = make(panel, "p", {id: "details", class: "details"});
		this.legend = make(panel, "p", {class: "legend"});
		this.place = make(panel, "div", {class: "graph"});
	}

	/* The children of GROUP, merged by function: each has the places [origin, node] it is made of. */
	groupsBelow(group) {
		const {model} = this.report, tree = model.functions, merged = new Map();
		const add = (origin, node, value) => {
			const item = tree.item[node];
			let child = merged.get(item);
			if (!child)
				merged.set(item, child = {item, places: [], value: 0, own: 0});
			child.places.push([origin, node]);
			child.value += value;
		};
		for (const [origin, node] of group.places) {
			if (!this.inverted) {
				for (let child = tree.child[node]; child; child = tree.sibling[child])
					add(child, child, model.all[child]);
			} else if (tree.parent[node]) {
				add(origin, tree.parent[node], model.self[origin]);
			}
		}
		const groups = [...merged.values()];
		for (const child of groups) {
			for (const [, node] of child.places)
				child.own += this.inverted ? 0 : model.self[node];
		}
		return groups.filter(child => child.value > 0).sort((a, b) => b.value - a.value);
	}

	/* The groups of the first row. */
	outermost() {
		const {model} = this.report;
		if (!this.inverted)
			return this.groupsBelow({places: [[0, 0]]});
		const merged = new Map();
		for (let node = 1; node < model.functions.size; node++) {
			if (model.self[node] <= 0)
				continue;
			const item = model.functions.item[node];
			if (!merged.has(item))
				merged.set(item, {item, places: [], value: 0, own: 0});
			merged.get(item).places.push([node, node]);
			merged.get(item).value += model.self[node];
		}
		return [...merged.values()].sort((a, b) => b.value - a.value);
	}

	/* The boxes in the order in which flame.js wants them: each before those below it. */
	layOut() {
		const {model} = this.report;
		const whole = {item: -1, places: [], value: this.inverted ?
			model.self.reduce((sum, value) => sum + value, 0) : model.all[0], own: 0};
		const boxes = [{group: whole, row: 0, begin: 0, width: 1, path: []}];
		let groups = this.outermost(), path = [];
		for (const item of this.zoomed) {
			const group = groups.find(other => other.item === item);
			if (!group)
				break;
			path = path.concat(item);
			boxes.push({group, row: path.length, begin: 0, width: 1, path});
			groups = this.groupsBelow(group);
		}
		this.zoomed = path;
		const last = boxes[boxes.length - 1];
		this.layOutBelow(boxes, groups, last, last.group.value);
		return boxes;
	}

	layOutBelow(boxes, groups, above, whole) {
		const pending = [];
		const push = (children, parent) => {
			let begin = parent.begin;
			const placed = [];
			for (const group of children) {
				const width = group.value / whole;
				if (width * GRAPH.width < GRAPH.narrowest)
					break;
				placed.push({group, row: parent.row + 1, begin, width, path: parent.path.concat(group.item)});
				begin += width;
			}
			for (const box of placed.reverse())
				pending.push(box);
		};
		push(groups, above);
		while (pending.length) {
			const box = pending.pop();
			boxes.push(box);
			push(this.groupsBelow(box.group), box);
		}
	}

	/* Gives load objects their colors: those with the largest area in BOXES choose first. */
	paint(boxes) {
		const {model} = this.report, data = model.data, areas = new Map();
		for (const {group, width} of boxes) {
			const object = group.item < 0 ? -1 : data.function_module[group.item];
			if (object > 0)
				areas.set(object, (areas.get(object) || 0) + width);
		}
		const colors = new Map();
		[...areas].sort((a, b) => b[1] - a[1] || a[0] - b[0]).forEach(([object], i) =>
			colors.set(object, 1 + Math.min(i, OBJECT_COLORS)));
		colors.set(0, areas.size ? OBJECT_COLORS + 2 : 1);
		return colors;
	}

	showLegend(colors) {
		const {data} = this.report.model;
		this.legend.textContent = "";
		for (const [object, color] of colors) {
			if (color > OBJECT_COLORS || !object)
				continue;
			const entry = make(this.legend, "span", {class: "entry"});
			swatch(entry, color);
			entry.append(data.module_name[object]);
		}
	}

	drawBox(frame, box, colors) {
		const {model} = this.report, {item, value, own} = box.group;
		const data = model.data;
		const name = item < 0 ? "<Total>" : data.function_name[item];
		const x = GRAPH.margin + box.begin * GRAPH.width, width = box.width * GRAPH.width;
		const group = draw(frame, "g", width < GRAPH.thin ? {class: "thin"} : {});
		if (box.row < this.zoomed.length)
			group.classList.add("outer");
		if (item >= 0 && data.function_short[item] !== name)
			group.dataset.base = data.function_short[item];
		const itself = own ? "; itself " + model.withUnit(own) : "";
		const object = item < 0 ? "" : "\n" + data.module_name[data.function_module[item]];
		draw(group, "title", {}, name + "\n" + model.withUnit(value) + ", " + model.percent(value) +
			itself + object);
		draw(group, "rect", {
			x, width, y: box.row * GRAPH.row, height: GRAPH.box,
			class: "c" + (item < 0 ? 0 : colors.get(data.function_module[item])),
		});
		group.path = box.path;
	}

	zoom(path) {
		this.zoomed = path;
		this.draw();
		this.graph.focus();
	}

	draw() {
		if (this.stop)
			this.stop.abort();
		this.stop = new AbortController();
		const boxes = this.layOut();
		const rows = boxes.reduce((most, box) => Math.max(most, box.row), 0) + 1;
		const colors = this.paint(boxes);
		const svg = document.createElementNS(SVG, "svg");
		svg.setAttribute("viewBox", "0 0 " + (GRAPH.width + 2 * GRAPH.margin) + " " + rows * GRAPH.row);
		svg.setAttribute("height", rows * GRAPH.row);
		svg.setAttribute("role", "group");
		svg.setAttribute("aria-label", "Flame graph: arrow keys move, Enter zooms in, Escape zooms out");
		const frame = draw(svg, "g", {id: "boxes"});
		for (const box of boxes)
			this.drawBox(frame, box, colors);
		this.showLegend(colors);
		this.place.textContent = "";
		this.place.appendChild(svg);
		this.reset.hidden = !this.zoomed.length;
		this.graph = flame(svg, {
			details: this.details, matched: this.matched, signal: this.stop.signal,
			zoom: box => this.zoom(box ? box.group.path : []),
		});
		this.graph.search(this.report.searched);
		this.next.hidden = !this.report.searched;
		this.report.count(-1);
	}
}
