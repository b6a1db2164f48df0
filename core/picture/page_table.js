/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of any length: only the rows in view are elements.  Arrow keys, Home, End, Page Up and Page
 * Down move the current row, Enter opens it, and in trees Left and Right close and open rows.
 */

const ROW = 26, SPARE = 8; /* pixels of a row; rows drawn outside of the view */

/* A new element NAME in PARENT, with ATTRIBUTES; TEXT is text, and nothing else. */
function make(parent, name, attributes, text) {
	const made = document.createElement(name);
	for (const key in attributes)
		made.setAttribute(key, attributes[key]);
	if (text !== undefined)
		made.textContent = text;
	if (parent)
		parent.appendChild(made);
	return made;
}

let tables = 0;

class Table {
	/*
	 * COLUMNS have a title, a function text(row), if they are numbers `number', and `narrow' if a
	 * narrow screen lacks them, and full(row), what the pointer shows.  ACTIONS: open(row),
	 * toggle(row, open) in trees; both may be missing.
	 */
	constructor(parent, label, columns, actions) {
		this.columns = columns;
		this.actions = actions;
		this.rows = [];
		this.current = 0;
		this.id = "table" + ++tables;
		const role = actions.toggle ? "treegrid" : "grid";
		this.frame = make(parent, "div", {
			class: "table", role, "aria-label": label, tabindex: "0", "aria-colcount": columns.length,
		});
		this.frame.style.setProperty("--numbers", columns.filter(column => column.number).length);
		this.frame.style.setProperty("--few",
			columns.filter(column => column.number && !column.narrow).length);
		const head = make(this.frame, "div", {class: "row head", role: "row"});
		for (const column of columns)
			make(head, "div", {class: this.classOf(column), role: "columnheader"}, column.title);
		this.body = make(this.frame, "div", {class: "body", role: "presentation"});
		this.frame.addEventListener("scroll", () => this.draw());
		this.frame.addEventListener("keydown", event => this.onKey(event));
		this.body.addEventListener("click", event => this.onClick(event));
		this.body.addEventListener("dblclick", () => this.open());
	}

	classOf(column) {
		return "cell" + (column.number ? " number" : "") + (column.narrow ? " narrow" : "");
	}

	/* Shows ROWS; the current one is number CURRENT. */
	show(rows, current) {
		this.rows = rows;
		this.current = Math.max(0, Math.min(current || 0, rows.length - 1));
		this.frame.setAttribute("aria-rowcount", rows.length + 1);
		this.body.style.height = rows.length * ROW + "px";
		this.reveal();
		this.draw();
	}

	get room() {
		return Math.max(ROW, this.frame.clientHeight - ROW);
	}

	reveal() {
		const top = this.current * ROW;
		if (top < this.frame.scrollTop)
			this.frame.scrollTop = top;
		else if (top + ROW > this.frame.scrollTop + this.room)
			this.frame.scrollTop = top + ROW - this.room;
	}

	draw() {
		const first = Math.max(0, Math.floor(this.frame.scrollTop / ROW) - SPARE);
		const last = Math.min(this.rows.length,
			Math.ceil((this.frame.scrollTop + this.room) / ROW) + SPARE);
		this.body.textContent = "";
		for (let i = first; i < last; i++)
			this.drawRow(i);
		if (this.rows.length)
			this.frame.setAttribute("aria-activedescendant", this.id + "-" + this.current);
		else
			this.frame.removeAttribute("aria-activedescendant");
	}

	drawRow(i) {
		const row = this.rows[i];
		const line = make(this.body, "div", {
			class: "row" + (i === this.current ? " current" : "") + (row.strong ? " strong" : ""),
			role: "row", id: this.id + "-" + i, "aria-rowindex": i + 2,
			"aria-selected": i === this.current,
		});
		line.style.top = i * ROW + "px";
		line.dataset.row = i;
		if (row.level) {
			line.setAttribute("aria-level", row.level);
			line.style.setProperty("--level", row.level - 1);
			if (row.expanded !== undefined)
				line.setAttribute("aria-expanded", row.expanded);
		}
		for (const column of this.columns) {
			const cell = make(line, "div", {class: this.classOf(column), role: "gridcell"});
			if (!column.number && row.level)
				make(cell, "span", {class: "twist", "aria-hidden": "true"},
					row.expanded === undefined ? "" : row.expanded ? "\u25be" : "\u25b8");
			cell.appendChild(document.createTextNode(column.text(row)));
			cell.title = column.full ? column.full(row) : column.text(row);
		}
	}

	go(number) {
		if (!this.rows.length)
			return;
		this.current = Math.max(0, Math.min(number, this.rows.length - 1));
		this.reveal();
		this.draw();
		if (this.actions.select)
			this.actions.select(this.rows[this.current]);
	}

	open() {
		if (this.rows.length && this.actions.open)
			this.actions.open(this.rows[this.current]);
	}

	toggle(open) {
		const row = this.rows[this.current];
		if (!row || !this.actions.toggle)
			return;
		if (row.expanded === !open)
			this.actions.toggle(row, open);
		else if (!open && row.level)
			this.go(this.outside());
		else if (open && row.expanded)
			this.go(this.current + 1);
	}

	/* The row that the current one is below. */
	outside() {
		for (let i = this.current - 1; i >= 0; i--) {
			if (this.rows[i].level < this.rows[this.current].level)
				return i;
		}
		return this.current;
	}

	onKey(event) {
		const page = Math.max(1, Math.floor(this.room / ROW) - 1);
		const moves = {
			ArrowUp: () => this.go(this.current - 1),
			ArrowDown: () => this.go(this.current + 1),
			PageUp: () => this.go(this.current - page),
			PageDown: () => this.go(this.current + page),
			Home: () => this.go(0),
			End: () => this.go(this.rows.length - 1),
			ArrowLeft: () => this.toggle(false),
			ArrowRight: () => this.toggle(true),
			Enter: () => this.open(),
		};
		if (event.altKey || event.ctrlKey || event.metaKey || !moves[event.key])
			return;
		moves[event.key]();
		event.preventDefault();
	}

	onClick(event) {
		const line = event.target.closest(".row");
		if (!line)
			return;
		this.go(Number(line.dataset.row));
		const row = this.rows[this.current];
		if (event.target.classList.contains("twist") && row.expanded !== undefined)
			this.actions.toggle(row, !row.expanded);
		else if (this.actions.click)
			this.actions.click(row);
	}
}
