/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What each thread did over time, and the marks.  A stretch of it, which the pointer or keys select,
 * becomes a filter of all tabs.
 */

const LANE = 22, BAR = 16, AXIS = 20; /* pixels */
const FIRST_STATE = 11;               /* the class of the color of the first state */

class TimelineTab {
	constructor(report) {
		this.report = report;
		this.name = "timeline";
		this.title = "Timeline";
	}

	has(model) {
		return model.timed;
	}

	build(panel) {
		const {model} = this.report;
		const bar = make(panel, "div", {class: "bar"});
		this.from = this.buildTime(bar, "From", "from");
		this.to = this.buildTime(bar, "to", "to");
		bar.append(" s");
		const all = make(bar, "button", {type: "button", id: "whole-time"}, "All of the time");
		all.addEventListener("click", () => this.report.filter({from: null, to: null}));
		this.legend = make(panel, "p", {class: "legend"});
		this.swatches = model.data.state_name.map((name, state) => {
			const entry = make(this.legend, "span", {class: "entry"});
			const square = swatch(entry, FIRST_STATE + state);
			entry.append(name);
			return square;
		});
		this.place = make(panel, "div", {class: "lanes"});
		this.names = make(this.place, "div", {class: "names"});
		this.canvas = make(this.place, "canvas", {
			tabindex: "0", role: "img", id: "lanes", "aria-describedby": "lanes-help",
		});
		make(panel, "p", {class: "hint", id: "lanes-help"},
			"Drag to select a stretch of time.  Left and Right move it, with Shift they change its end, Escape selects all.");
		this.marks = new Table(panel, "Marks", [
			{title: "Time", number: true, text: row => (row.time / 1e6).toFixed(3)},
			{title: "Mark", text: row => row.label},
		], {open: row => this.report.filter({from: row.time, to: row.next})});
		this.canvas.addEventListener("pointerdown", event => this.drag(event));
		this.canvas.addEventListener("keydown", event => this.onKey(event));
		window.addEventListener("resize", () => this.canvas.offsetParent && this.paint());
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.paint());
		this.collect();
	}

	/* A field for the end END of the stretch. */
	buildTime(bar, title, end) {
		const label = make(bar, "label", {}, title + " ");
		const field = make(label, "input", {type: "number", step: "any", class: "time", id: "time-" + end});
		field.addEventListener("change", () => this.report.filter({
			[end]: field.value === "" ? null : Number(field.value) * 1e6,
		}));
		return field;
	}

	/* The samples of each thread, in the order of time, and the threads that have any. */
	collect() {
		const {model} = this.report, {sample_thread} = model.data;
		this.lanes = new Map();
		for (let i = 0; i < sample_thread.length; i++) {
			if (!this.lanes.has(sample_thread[i]))
				this.lanes.set(sample_thread[i], []);
			this.lanes.get(sample_thread[i]).push(i);
		}
		for (const samples of this.lanes.values())
			samples.sort((a, b) => model.times[a] - model.times[b]);
		const wall = model.metricNamed("wall");
		this.spans = wall < 0 ? null : model.column(wall);
		this.names.style.paddingTop = AXIS + "px";
		for (const thread of this.lanes.keys()) {
			const button = make(this.names, "button", {type: "button", class: "lane-name"},
				model.threadName(thread));
			button.title = "Show only this thread";
			button.addEventListener("click", () =>
				this.report.filter({thread: model.filter.thread === thread ? -1 : thread}));
		}
	}

	get width() {
		return this.canvas.clientWidth;
	}

	x(time) {
		const {begin, end} = this.report.model;
		return (time - begin) / (end - begin) * this.width;
	}

	time(x) {
		const {begin, end} = this.report.model;
		return begin + Math.max(0, Math.min(1, x / this.width)) * (end - begin);
	}

	draw() {
		const {model} = this.report, {from, to, thread} = model.filter;
		this.from.value = from === null ? "" : (from / 1e6).toFixed(3);
		this.to.value = to === null ? "" : (to / 1e6).toFixed(3);
		const {mark_time, mark_label} = model.data;
		const rows = mark_time.map((time, i) => ({
			time, label: mark_label[i], next: i + 1 < mark_time.length ? mark_time[i + 1] : null,
		})).filter(row => this.report.matches(row.label));
		this.report.count(rows.length);
		this.marks.frame.hidden = !mark_time.length;
		this.marks.show(rows);
		[...this.lanes.keys()].forEach((other, i) =>
			this.names.children[i].setAttribute("aria-pressed", other === thread));
		this.canvas.setAttribute("aria-label", this.lanes.size + " threads from " +
			(model.begin / 1e6).toFixed(3) + " s to " + (model.end / 1e6).toFixed(3) + " s; selected: " +
			(from === null && to === null ? "all" : this.from.value + " to " + this.to.value + " s"));
		this.paint();
	}

	/* Draws what the canvas shows. */
	paint() {
		const scale = window.devicePixelRatio || 1;
		const height = AXIS + this.lanes.size * LANE;
		this.canvas.style.height = height + "px";
		this.canvas.width = this.width * scale;
		this.canvas.height = height * scale;
		const context = this.canvas.getContext("2d");
		context.scale(scale, scale);
		const style = getComputedStyle(this.canvas);
		this.ink = style.color;
		const colors = this.swatches.map(square => getComputedStyle(square).fill);
		[...this.lanes.values()].forEach((samples, i) =>
			this.paintLane(context, samples, AXIS + i * LANE + (LANE - BAR) / 2, colors));
		this.paintAxis(context, height, style);
		this.paintStretch(context, height);
	}

	/* By pixel: the state in which most of the time of SAMPLES was spent. */
	statesOf(samples) {
		const {model} = this.report, {sample_state, state_name} = model.data;
		const width = Math.ceil(this.width), count = state_name.length;
		const shares = new Float64Array(width * count);
		for (const i of samples) {
			const end = Math.min(width - 0.001, this.x(model.times[i]));
			const begin = Math.max(0, this.spans ? this.x(model.times[i] - this.spans[i] / 1000) : end);
			for (let pixel = Math.floor(begin); pixel <= Math.floor(end); pixel++) {
				const part = Math.min(end, pixel + 1) - Math.max(begin, pixel);
				shares[pixel * count + sample_state[i]] += Math.max(part, 1e-6);
			}
		}
		return Array.from({length: width}, (_, pixel) => {
			let most = -1;
			for (let state = 0; state < count; state++) {
				const share = shares[pixel * count + state];
				if (share > 0 && (most < 0 || share > shares[pixel * count + most]))
					most = state;
			}
			return most;
		});
	}

	paintLane(context, samples, top, colors) {
		const states = this.statesOf(samples);
		for (let begin = 0; begin < states.length;) {
			let end = begin + 1;
			while (end < states.length && states[end] === states[begin])
				end++;
			if (states[begin] >= 0) {
				context.fillStyle = colors[states[begin]];
				context.fillRect(begin, top, end - begin, BAR);
			}
			begin = end;
		}
	}

	/* The scale, and a line for each mark. */
	paintAxis(context, height, style) {
		const {model} = this.report;
		const about = (model.end - model.begin) * 90 / this.width;
		const power = Math.pow(10, Math.floor(Math.log10(about)));
		const step = power * [1, 2, 5, 10].find(times => times * power >= about);
		context.fillStyle = this.ink;
		context.font = style.font;
		for (let at = Math.ceil(model.begin / step); at * step <= model.end; at++) {
			const label = Number((at * step / 1e6).toPrecision(9)) + " s";
			const x = this.x(at * step);
			if (x + context.measureText(label).width <= this.width)
				context.fillText(label, x, 13);
		}
		context.strokeStyle = style.borderTopColor;
		context.setLineDash([3, 2]);
		for (const time of model.data.mark_time) {
			context.beginPath();
			context.moveTo(this.x(time), AXIS - 4);
			context.lineTo(this.x(time), height);
			context.stroke();
		}
		context.setLineDash([]);
	}

	/* Frames what is selected, and veils the rest. */
	paintStretch(context, height) {
		const {from, to} = this.report.model.filter;
		if (from === null && to === null)
			return;
		const left = from === null ? 0 : this.x(from);
		const right = to === null ? this.width : this.x(to);
		context.fillStyle = getComputedStyle(this.place).backgroundColor;
		context.globalAlpha = 0.7;
		context.fillRect(0, 0, left, height);
		context.fillRect(right, 0, this.width - right, height);
		context.globalAlpha = 1;
		context.strokeStyle = this.ink;
		context.lineWidth = 2;
		context.strokeRect(left, 1, right - left, height - 2);
	}

	drag(down) {
		const origin = this.time(down.offsetX);
		this.canvas.setPointerCapture(down.pointerId);
		const move = event => {
			const at = this.time(event.offsetX);
			Object.assign(this.report.model.filter, {from: Math.min(origin, at), to: Math.max(origin, at)});
			this.paint();
		};
		const end = event => {
			this.canvas.removeEventListener("pointermove", move);
			const at = this.time(event.offsetX);
			const few = Math.abs(event.offsetX - down.offsetX) < 3;
			this.report.filter(few ? {from: null, to: null} :
				{from: Math.min(origin, at), to: Math.max(origin, at)});
		};
		this.canvas.addEventListener("pointermove", move);
		this.canvas.addEventListener("pointerup", end, {once: true});
	}

	onKey(event) {
		const {model} = this.report, span = model.end - model.begin, step = span / 50;
		const direction = {ArrowLeft: -1, ArrowRight: 1}[event.key];
		if (event.key === "Escape") {
			this.report.filter({from: null, to: null});
		} else if (direction && !event.altKey && !event.ctrlKey) {
			let from = model.filter.from === null ? model.begin : model.filter.from;
			let to = model.filter.to === null ? model.end : model.filter.to;
			if (model.filter.from === null && model.filter.to === null)
				to = model.begin + span / 10;
			else if (event.shiftKey)
				to = Math.max(from + step, Math.min(model.end, to + direction * step));
			else
				[from, to] = this.moved(from, to, direction * step);
			this.report.filter({from, to});
		} else {
			return;
		}
		event.preventDefault();
	}

	/* The stretch FROM to TO, moved by STEP as far as there is time. */
	moved(from, to, step) {
		const {begin, end} = this.report.model;
		const by = Math.max(begin - from, Math.min(end - to, step));
		return [from + by, to + by];
	}
}
