cdef center_crop(img, out_height, out_width):
  height, width, _ = img.shape
  left = int((width - out_width) / 2)
  right = int((width + out_width) / 2)
  top = int((height - out_height) / 2)
  bottom = int((height + out_height) / 2)
  img = img[top:bottom, left:right]
  return img
def resize_with_aspectratio(img, out_height, out_width, scale=80, inter_pol=cv2.INTER_LINEAR):
  height, width, _ = img.shape
  new_height = int(100. * out_height / scale)
  new_width = int(100. * out_width / scale)
  if height > width:
    w = new_width
    h = int(new_height * height / width)
  else:
    h = new_height
    w = int(new_width * width / height)
  img = cv2.resize(img, (w, h), interpolation=inter_pol)
  return img
def f(img, dims=None, need_transpose=False):
  img = cv2.cvtColor(img, cv2.COLOR_BGR2RGB)
  output_height, output_width, _ = dims
  how = cv2.INTER_AREA
  img = resize_with_aspectratio(img, output_height, output_width, inter_pol=how)
  img = center_crop(img, output_height, output_width)
  img = np.asarray(img, dtype='float32')
  means = np.array([120.5, 110, 100])
  img -= means
  scale = 60.5
  img /= scale
  if need_transpose:
    img = img.transpose([2, 0, 1])
  return img
def preprocess(ctx, data):
  img = cv2.imread(dataset[int(data)])
  return f(img, [192, 192, 3], True)
