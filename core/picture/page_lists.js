/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tabs that are tables.  A tab has a name, as links have it, a title, may say whether the model
 * has anything for it, and has build(panel), which is called once, and draw(), whenever it is shown
 * or something has changed.
 */

/*
 * The two columns of a figure: its value, and its percentage.  VALUE gives undefined for rows that
 * have none.
 */
function figure(report, title, value) {
	const show = text => row => value(row) === undefined ? "" : text(value(row));
	return [{
		title, number: true,
		text: show(shown => report.model.number(shown)),
		full: show(shown => report.model.number(shown, true)),
	}, {
		title: "%", number: true, narrow: true,
		text: show(shown => report.model.percent(shown).replace(" %", "")),
	}];
}

function byValue(value) {
	return (a, b) => value(b) - value(a) || a.order - b.order;
}

/* The functions, with their exclusive and inclusive metrics. */
class FunctionsTab {
	constructor(report) {
		this.report = report;
		this.name = "functions";
		this.title = "Functions";
		this.key = "exclusive";
	}

	build(panel) {
		const bar = make(panel, "div", {class: "bar"});
		this.sort = choice(bar, "Sort by", {exclusive: "exclusive", inclusive: "inclusive", name: "name"},
			key => { this.key = key; this.draw(); });
		this.table = new Table(panel, "Functions", [
			...figure(this.report, "Exclusive", row => row.exclusive),
			...figure(this.report, "Inclusive", row => row.inclusive),
			{title: "Name", text: row => row.name, full: row => row.name + "\n" + row.object},
		], {
			open: row => row.item >= 0 && this.report.go("callers", row.item),
			select: row => this.report.choose(row.item),
		});
	}

	draw() {
		const {model} = this.report;
		const rows = this.report.functionRows();
		const order = {
			exclusive: byValue(row => row.exclusive), inclusive: byValue(row => row.inclusive),
			name: (a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : a.order - b.order,
		};
		rows.sort(order[this.key]);
		const shown = rows.filter(row => this.report.matches(row.name));
		const total = model.figures.total;
		shown.unshift({name: "<Total>", object: "", item: -1, exclusive: total, inclusive: total, strong: true});
		this.report.count(shown.length - 1);
		this.table.show(shown, shown.findIndex(row => row.item === this.report.chosen && row.item >= 0));
	}
}

/* One function, what calls it, and what it calls. */
class CallersTab {
	constructor(report) {
		this.report = report;
		this.name = "callers";
		this.title = "Callers";
	}

	build(panel) {
		this.heading = make(panel, "h2", {class: "name"});
		this.about = make(panel, "p");
		const parts = make(panel, "div", {class: "halves"});
		this.callers = this.buildHalf(parts, "Callers");
		this.callees = this.buildHalf(parts, "Callees");
	}

	buildHalf(parent, title) {
		const half = make(parent, "section", {class: "half"});
		make(half, "h3", {}, title);
		return new Table(half, title, [
			...figure(this.report, "Attributed", row => row.value),
			{title: "Name", text: row => row.name},
		], {
			open: row => row.item >= 0 && this.report.go("callers", row.item),
			click: row => row.item >= 0 && this.report.go("callers", row.item),
		});
	}

	rowsOf(map) {
		const names = this.report.model.data.function_name;
		const rows = [];
		for (const [item, value] of map) {
			const name = item < 0 ? "<Total>" : names[item];
			if (value && this.report.matches(name))
				rows.push({item, value, name, order: item});
		}
		return rows.sort(byValue(row => row.value));
	}

	draw() {
		const {model} = this.report;
		if (this.report.chosen < 0)
			this.report.chosen = this.report.hottest();
		const focus = this.report.chosen;
		if (focus < 0) {
			this.heading.textContent = "No function";
			this.about.textContent = "The filters leave no sample.";
			return;
		}
		const {callers, callees} = model.functions.neighbours(focus, model.all);
		const exclusive = model.figures.exclusive[focus], inclusive = model.figures.inclusive[focus];
		this.heading.textContent = model.data.function_name[focus];
		this.about.textContent = "Exclusive " + model.withUnit(exclusive) + " (" +
			model.percent(exclusive) + "), inclusive " + model.withUnit(inclusive) + " (" +
			model.percent(inclusive) + "), in " +
			model.data.module_name[model.data.function_module[focus]] + ".";
		const above = this.rowsOf(callers), under = this.rowsOf(callees);
		this.report.count(above.length + under.length);
		this.callers.show(above);
		this.callees.show(under);
	}
}

/* The call tree, whose recursion is collapsed. */
class TreeTab {
	constructor(report) {
		this.report = report;
		this.name = "tree";
		this.title = "Tree";
		this.degree = "conservative";
	}

	build(panel) {
		const bar = make(panel, "div", {class: "bar"});
		const degrees = {none: "none", direct: "direct", conservative: "conservative", full: "full"};
		this.collapse = choice(bar, "Collapse recursion", degrees, degree => {
			this.degree = degree;
			this.draw();
		});
		this.collapse.value = this.degree;
		this.table = new Table(panel, "Call tree", [
			...figure(this.report, "In or under", row => row.node.stub ? undefined : row.node.value),
			...figure(this.report, "In only", row => row.node.stub ? undefined : row.node.own),
			{title: "Name", text: row => row.name},
		], {
			toggle: (row, open) => this.toggle(row, open),
			open: row => this.report.go("callers", row.node.item),
			select: row => this.report.choose(row.node.item),
		});
	}

	childrenOf(node) {
		const rows = [];
		for (const number of node.children.values()) {
			const child = this.tree[number];
			const name = this.report.model.data.function_name[child.item];
			rows.push({
				number, node: child, level: child.level, order: number,
				name: child.stub ? "\u2191 " + name : name,
				expanded: child.children.size ? false : undefined,
			});
		}
		return rows.sort(byValue(row => row.node.value));
	}

	/* The rows below ROW as far as they are open, which is remembered. */
	opened(rows) {
		const all = [];
		for (const row of rows) {
			all.push(row);
			if (row.expanded !== undefined && this.open.has(row.number)) {
				row.expanded = true;
				all.push(...this.opened(this.childrenOf(row.node)));
			}
		}
		return all;
	}

	toggle(row, open) {
		if (open)
			this.open.add(row.number);
		else
			this.open.delete(row.number);
		const current = this.table.rows.indexOf(row);
		this.table.show(this.opened(this.childrenOf(this.tree[0])), current);
	}

	/* Opens the hot path: from the root down to the child with the most, as long as it has half. */
	openHot() {
		this.open = new Set();
		for (let rows = this.childrenOf(this.tree[0]); rows.length;) {
			const [row] = rows;
			if (row.expanded === undefined || row.node.value < this.tree[0].value / 10)
				break;
			this.open.add(row.number);
			rows = this.childrenOf(row.node);
		}
	}

	/* Opens all that leads to a match of the search. */
	openMatches() {
		for (const node of this.tree) {
			if (!node.parent || !this.report.matches(this.report.model.data.function_name[node.item]))
				continue;
			for (let at = node.parent; at && !this.open.has(at); at = this.tree[at].parent)
				this.open.add(at);
		}
	}

	draw() {
		const {model} = this.report;
		this.tree = collapse(model.functions, model.self, model.all, this.degree);
		this.openHot();
		const names = model.data.function_name;
		let count = this.tree.length - 1;
		if (this.report.searched) {
			this.openMatches();
			count = this.tree.filter(node => node.level && this.report.matches(names[node.item])).length;
		}
		const rows = this.opened(this.childrenOf(this.tree[0]));
		if (this.report.searched)
			rows.forEach(row => { row.strong = this.report.matches(names[row.node.item]); });
		this.report.count(count);
		this.table.show(rows, this.report.searched ? rows.findIndex(row => row.strong) : 0);
	}
}

/* Lines of source. */
class LinesTab {
	constructor(report) {
		this.report = report;
		this.name = "lines";
		this.title = "Lines";
	}

	has(model) {
		return model.data.place_line.some(line => line > 0);
	}

	build(panel) {
		this.table = new Table(panel, "Lines", [
			...figure(this.report, "Exclusive", row => row.exclusive),
			...figure(this.report, "Inclusive", row => row.inclusive),
			{title: "Line", text: row => row.name, full: row => row.long},
		], {
			open: row => this.report.go("callers", row.item),
			select: row => this.showSource(row),
		});
		this.heading = make(panel, "h3");
		this.source = make(panel, "div", {class: "source", tabindex: "0", role: "region", "aria-label": "Source"});
	}

	rows() {
		const {model} = this.report, data = model.data;
		const {exclusive, inclusive} = model.lines;
		const rows = [];
		for (let place = 0; place < data.place_line.length; place++) {
			if (!inclusive[place] && !exclusive[place])
				continue;
			const item = data.place_function[place], line = data.place_line[place];
			const path = data.file_name[data.place_file[place]];
			const file = line ? path.slice(path.lastIndexOf("/") + 1) + ":" + line : "<no line>";
			rows.push({
				place, item, line, order: place, exclusive: exclusive[place], inclusive: inclusive[place],
				name: file + ", " + data.function_name[item],
				long: path + ":" + line + "\n" + data.function_name[item],
			});
		}
		return rows;
	}

	draw() {
		const rows = this.rows().filter(row => this.report.matches(row.name));
		rows.sort((a, b) => b.exclusive - a.exclusive || b.inclusive - a.inclusive || a.order - b.order);
		this.report.count(rows.length);
		const own = rows.findIndex(row => row.item === this.report.chosen);
		this.table.show(rows, own);
		this.showSource(rows[Math.max(0, own)]);
	}

	/* By line of FILE: the exclusive metric. */
	ownOf(file) {
		const {model} = this.report, own = new Map();
		model.data.place_file.forEach((other, place) => {
			const line = model.data.place_line[place];
			if (other === file)
				own.set(line, (own.get(line) || 0) + model.lines.exclusive[place]);
		});
		return own;
	}

	/* Shows the file of ROW, if the page has it, with the line in view. */
	showSource(row) {
		const {model} = this.report, data = model.data;
		const file = row ? data.place_file[row.place] : -1;
		const number = data.source_file.indexOf(file);
		this.source.hidden = number < 0;
		this.heading.textContent = !row || !row.line ? "" : number >= 0 ? data.file_name[file] :
			data.file_name[file] + (data.source_file.length ? ": this file could not be read." :
				": the report has no source text; --sources embeds it.");
		if (number < 0)
			return;
		const own = this.ownOf(file);
		this.source.textContent = "";
		data.source_text[number].split("\n").forEach((text, i) => {
			const line = make(this.source, "div", {class: "code" + (i + 1 === row.line ? " current" : "")});
			const value = own.get(i + 1);
			make(line, "span", {class: "number"}, value ? model.number(value) : "");
			make(line, "span", {class: "number line"}, i + 1);
			make(line, "span", {}, text);
			if (i + 1 === row.line)
				this.source.scrollTop = Math.max(0, line.offsetTop - this.source.offsetTop - 80);
		});
	}
}
