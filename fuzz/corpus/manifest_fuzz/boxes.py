cdef postprocess(ctx, data):
  probs, labels, boxes = [], [], []
  for i in range(len(data[0])):
    cur_probs, cur_labels, cur_boxes = [], [], []
    for j in range(len(data[0][i])):
      prob, label, box = data[2][i][j], data[1][i][j], data[0][i][j].tolist()
      if label == -1:
        continue
      box = [box[1] / 300, box[0] / 400, box[3] / 300, box[2] / 400]
      cur_probs.append(prob)
      cur_labels.append(label)
      cur_boxes.append(box)
    probs.append(cur_probs)
    labels.append(cur_labels)
    boxes.append(cur_boxes)
  return probs, labels, boxes
